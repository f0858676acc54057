-- GET /stats/microconversions/raw?period=7d&landing_page=/a&page=3

-- reads events
-- kind = "microconversion"
-- site = "shop"
-- start = "2026-11-15"
-- end = "2026-11-21"
-- f4 = ["/a"]
-- limit = 50
-- offset = 100
-- setting optimize_use_projections = 0
SELECT date,
	hour,
	toUnixTimestamp64Milli(ts) AS at,
	event_type AS conversion_type,
	amount,
	country,
	device AS device_type,
	browser,
	os,
	channel AS channel_group,
	utm_source,
	utm_medium,
	utm_campaign,
	utm_term,
	utm_content,
	landing_path AS landing_page,
	clid,
	properties
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_path IN {f4:Array(String)}
	AND kind = {kind:String}
	AND session != 0
ORDER BY ts, session, event_type, toString(properties)
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- kind = "microconversion"
-- site = "shop"
-- start = "2026-11-15"
-- end = "2026-11-21"
-- f4 = ["/a"]
-- setting optimize_use_projections = 0
SELECT count() AS total
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_path IN {f4:Array(String)}
	AND kind = {kind:String}
	AND session != 0;
