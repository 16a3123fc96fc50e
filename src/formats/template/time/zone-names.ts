/** The short names of time zones and the offsets they stand for, from the public tz database, years 2000 on. */

/** One line a set of names: `NAME±seconds …|zone zone …`, no name where zones go by numbers. */
const table = `
|Africa/Casablanca Africa/El_Aaiun America/Araguaina America/Argentina/Buenos_Aires
 America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba
 America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos
 America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman
 America/Argentina/Ushuaia America/Asuncion America/Bahia America/Belem America/Boa_Vista America/Bogota
 America/Buenos_Aires America/Campo_Grande America/Caracas America/Catamarca America/Cayenne America/Cordoba
 America/Coyhaique America/Cuiaba America/Eirunepe America/Fortaleza America/Godthab America/Guayaquil
 America/Guyana America/Jujuy America/La_Paz America/Lima America/Maceio America/Manaus America/Mendoza
 America/Miquelon America/Montevideo America/Noronha America/Nuuk America/Paramaribo America/Porto_Acre
 America/Porto_Velho America/Punta_Arenas America/Recife America/Rio_Branco America/Rosario America/Santarem
 America/Santiago America/Sao_Paulo America/Scoresbysund Antarctica/Casey Antarctica/Davis
 Antarctica/DumontDUrville Antarctica/Mawson Antarctica/Palmer Antarctica/Rothera Antarctica/Syowa
 Antarctica/Troll Antarctica/Vostok Asia/Aden Asia/Almaty Asia/Anadyr Asia/Aqtau Asia/Aqtobe Asia/Ashgabat
 Asia/Ashkhabad Asia/Atyrau Asia/Baghdad Asia/Bahrain Asia/Baku Asia/Bangkok Asia/Barnaul Asia/Bishkek
 Asia/Brunei Asia/Chita Asia/Choibalsan Asia/Colombo Asia/Dacca Asia/Dhaka Asia/Dili Asia/Dubai Asia/Dushanbe
 Asia/Ho_Chi_Minh Asia/Hovd Asia/Irkutsk Asia/Kabul Asia/Kamchatka Asia/Kashgar Asia/Kathmandu Asia/Katmandu
 Asia/Khandyga Asia/Krasnoyarsk Asia/Kuala_Lumpur Asia/Kuching Asia/Kuwait Asia/Magadan Asia/Muscat
 Asia/Novokuznetsk Asia/Novosibirsk Asia/Omsk Asia/Oral Asia/Phnom_Penh Asia/Qatar Asia/Qostanay
 Asia/Qyzylorda Asia/Rangoon Asia/Riyadh Asia/Saigon Asia/Sakhalin Asia/Samarkand Asia/Singapore
 Asia/Srednekolymsk Asia/Tashkent Asia/Tbilisi Asia/Tehran Asia/Thimbu Asia/Thimphu Asia/Tomsk
 Asia/Ulaanbaatar Asia/Ulan_Bator Asia/Urumqi Asia/Ust-Nera Asia/Vientiane Asia/Vladivostok Asia/Yakutsk
 Asia/Yangon Asia/Yekaterinburg Asia/Yerevan Atlantic/Azores Atlantic/Cape_Verde Atlantic/South_Georgia
 Atlantic/Stanley Australia/Eucla Australia/LHI Australia/Lord_Howe Brazil/Acre Brazil/DeNoronha Brazil/East
 Brazil/West Chile/Continental Chile/EasterIsland Etc/GMT+1 Etc/GMT+10 Etc/GMT+11 Etc/GMT+12 Etc/GMT+2
 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9 Etc/GMT-1 Etc/GMT-10 Etc/GMT-11
 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7 Etc/GMT-8
 Etc/GMT-9 Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Factory Indian/Chagos
 Indian/Christmas Indian/Cocos Indian/Kerguelen Indian/Mahe Indian/Maldives Indian/Mauritius Indian/Reunion
 Iran Kwajalein NZ-CHAT Pacific/Apia Pacific/Bougainville Pacific/Chatham Pacific/Chuuk Pacific/Easter
 Pacific/Efate Pacific/Enderbury Pacific/Fakaofo Pacific/Fiji Pacific/Funafuti Pacific/Galapagos
 Pacific/Gambier Pacific/Guadalcanal Pacific/Kanton Pacific/Kiritimati Pacific/Kosrae Pacific/Kwajalein
 Pacific/Majuro Pacific/Marquesas Pacific/Nauru Pacific/Niue Pacific/Norfolk Pacific/Noumea Pacific/Palau
 Pacific/Pitcairn Pacific/Pohnpei Pacific/Ponape Pacific/Port_Moresby Pacific/Rarotonga Pacific/Tahiti
 Pacific/Tarawa Pacific/Tongatapu Pacific/Truk Pacific/Wake Pacific/Wallis Pacific/Yap Singapore
ACDT37800 ACST34200|Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna
ACST34200|Australia/Darwin Australia/North
ADT-10800 AST-14400|America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton America/Thule
 Atlantic/Bermuda Canada/Atlantic
AEDT39600 AEST36000|Antarctica/Macquarie Australia/ACT Australia/Canberra Australia/Currie Australia/Hobart
 Australia/Melbourne Australia/NSW Australia/Sydney Australia/Tasmania Australia/Victoria
AEST36000|Australia/Brisbane Australia/Lindeman Australia/Queensland
AKDT-28800 AKST-32400|America/Anchorage America/Juneau America/Nome America/Sitka America/Yakutat US/Alaska
AKDT-28800 AKST-32400 PST-28800|America/Metlakatla
AST-14400|America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon America/Curacao
 America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes America/Marigot
 America/Martinique America/Montserrat America/Port_of_Spain America/Puerto_Rico America/St_Barthelemy
 America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin
AST-14400 EDT-14400 EST-18000|America/Grand_Turk
AST-14400 EST-18000|America/Santo_Domingo
AWDT32400 AWST28800|Australia/Perth Australia/West
BST3600 GMT0|Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire
CAT7200|Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi
 Africa/Lusaka Africa/Maputo
CAT7200 EAT10800|Africa/Juba Africa/Khartoum
CAT7200 WAT3600|Africa/Windhoek
CDT-14400 CST-18000|America/Havana Cuba
CDT-18000 CST-21600|America/Chicago America/Guatemala America/Managua America/Matamoros America/Menominee
 America/Merida America/Mexico_City America/Monterrey America/North_Dakota/Center America/Rainy_River
 America/Tegucigalpa America/Winnipeg CST6CDT Canada/Central Mexico/General US/Central
CDT-18000 CST-21600 EDT-14400 EST-18000|America/Indiana/Petersburg America/Indiana/Vincennes
 America/Indiana/Winamac America/Iqaluit America/Kentucky/Monticello America/Pangnirtung
CDT-18000 CST-21600 EST-18000|America/Cancun America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN
 America/Rankin_Inlet America/Resolute US/Indiana-Starke
CDT-18000 CST-21600 MDT-21600 MST-25200|America/Bahia_Banderas America/Cambridge_Bay
 America/North_Dakota/Beulah America/North_Dakota/New_Salem America/Ojinaga
CEST7200 CET3600|Africa/Ceuta Africa/Tunis Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam
 Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest
 Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid
 Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome
 Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican
 Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich Poland
CEST7200 CET3600 EET7200|Africa/Tripoli Libya
CET3600|Africa/Algiers
CST-21600|America/Belize America/Costa_Rica America/El_Salvador America/Regina America/Swift_Current
 Canada/Saskatchewan
CST-21600 MDT-21600 MST-25200|America/Chihuahua America/Ciudad_Juarez
CST28800|Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai Asia/Taipei PRC ROC
ChST36000 GST36000|Pacific/Guam Pacific/Saipan
EAT10800|Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala
 Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte
EDT-14400 EST-18000|America/Detroit America/Fort_Wayne America/Indiana/Indianapolis America/Indiana/Marengo
 America/Indiana/Vevay America/Indianapolis America/Kentucky/Louisville America/Louisville America/Montreal
 America/Nassau America/New_York America/Nipigon America/Port-au-Prince America/Thunder_Bay America/Toronto
 Canada/Eastern EST5EDT US/East-Indiana US/Eastern US/Michigan posixrules
EEST10800 EET7200|Africa/Cairo Asia/Amman Asia/Beirut Asia/Damascus Asia/Famagusta Asia/Gaza Asia/Hebron
 Asia/Istanbul Asia/Nicosia EET Egypt Europe/Athens Europe/Bucharest Europe/Chisinau Europe/Helsinki
 Europe/Istanbul Europe/Kaliningrad Europe/Kiev Europe/Kyiv Europe/Mariehamn Europe/Minsk Europe/Nicosia
 Europe/Riga Europe/Sofia Europe/Tallinn Europe/Tiraspol Europe/Uzhgorod Europe/Vilnius Europe/Zaporozhye
 Turkey
EEST10800 EET7200 MSK10800 MSK14400|Europe/Simferopol
EST-18000|America/Atikokan America/Cayman America/Coral_Harbour America/Jamaica America/Panama EST Jamaica
GMT0|Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar
 Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu
 America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich
 GMT GMT+0 GMT-0 GMT0 Greenwich Iceland
GMT0 IST3600|Eire Europe/Dublin
GMT0 WAT3600|Africa/Sao_Tome
HDT-32400 HST-36000|America/Adak America/Atka US/Aleutian
HKT28800|Asia/Hong_Kong Hongkong
HST-36000|HST Pacific/Honolulu Pacific/Johnston US/Hawaii
IDT10800 IST7200|Asia/Jerusalem Asia/Tel_Aviv Israel
IST19800|Asia/Calcutta Asia/Kolkata
JST32400|Asia/Tokyo Japan
KST30600 KST32400|Asia/Pyongyang
KST32400|Asia/Seoul ROK
MDT-21600 MST-25200|America/Boise America/Denver America/Edmonton America/Inuvik America/Mazatlan
 America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Mexico/BajaSur Navajo US/Mountain
MEST7200 MET3600|MET
MSD14400 MSK10800 MSK14400|Europe/Kirov Europe/Moscow Europe/Volgograd W-SU
MST-25200|America/Creston America/Dawson_Creek America/Hermosillo America/Phoenix MST US/Arizona
MST-25200 PDT-25200 PST-28800|America/Dawson America/Fort_Nelson America/Whitehorse Canada/Yukon
NDT-9000 NST-12600|America/St_Johns Canada/Newfoundland
NZDT46800 NZST43200|Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland
PDT-25200 PST-28800|America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana
 America/Vancouver Canada/Pacific Mexico/BajaNorte PST8PDT US/Pacific
PKST21600 PKT18000|Asia/Karachi
PST28800|Asia/Manila
SAST7200|Africa/Johannesburg Africa/Maseru Africa/Mbabane
SST-39600|Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa
WAT3600|Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville
 Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo
WEST3600 WET0|Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Europe/Lisbon Portugal WET
WIB25200|Asia/Jakarta Asia/Pontianak
WIT32400|Asia/Jayapura
WITA28800|Asia/Makassar Asia/Ujung_Pandang
UTC0|Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu
`

type ShortName = { readonly name: string; readonly offset: number }

const byZone = new Map(
  table
    .trim()
    .split(/\n(?! )/)
    .flatMap(readLine),
)

/** undefined for a zone that does not exist; empty for one whose names are its offsets. */
export function shortNames(zone: string): readonly ShortName[] | undefined {
  return byZone.get(zone)
}

function readLine(line: string): (readonly [string, readonly ShortName[]])[] {
  const [names = '', zones = ''] = line.split('|')
  const read = names.split(' ').flatMap((text): ShortName[] => {
    const found = /^([A-Za-z]+)(-?\d+)$/.exec(text)
    return found === null ? [] : [{ name: found[1] ?? '', offset: Number(found[2]) }]
  })
  return zones.split(/\s+/).map((zone) => [zone, read] as const)
}
