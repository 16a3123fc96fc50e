/** What a render process answers when what an earlier render read is the same still. */
export const unchanged = 'unchanged'
