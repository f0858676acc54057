-- GET /stats/conversions/raw?period=7d&clid=a&clid=b&conversion_type=purchase

-- reads events
-- kind = "conversion"
-- site = "shop"
-- start = "2026-11-15"
-- end = "2026-11-21"
-- f4 = ["purchase"]
-- clids = ["a","b"]
-- limit = 50
-- offset = 0
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
	AND event_type IN {f4:Array(String)}
	AND kind = {kind:String}
	AND session != 0
	AND clid IN {clids:Array(String)}
ORDER BY ts, session, event_type, toString(properties)
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- kind = "conversion"
-- site = "shop"
-- start = "2026-11-15"
-- end = "2026-11-21"
-- f4 = ["purchase"]
-- clids = ["a","b"]
-- setting optimize_use_projections = 0
SELECT count() AS total
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type IN {f4:Array(String)}
	AND kind = {kind:String}
	AND session != 0
	AND clid IN {clids:Array(String)};
