-- What goes on at a site

-- reads events
-- site = "shop"
-- start = "2026-11-20"
-- end = "2026-11-22"
-- f3 = "x' OR 1=1 --"
-- now = 1795262400000
-- before_minutes = 1795260659999
-- before_active = 1795262100000
-- hits_after = 1795262390000
-- rows = 10
-- hits = 500
-- setting optimize_use_projections = 0
SELECT * FROM (
SELECT 'minutes' AS part,
	'' AS label,
	intDiv(toUnixTimestamp64Milli(ts), 60000) * 60000 AS at,
	toUInt64(0) AS visits,
	sum(page_view) AS page_views,
	sum(entrance) AS entrance_hits,
	toUInt64(0) AS hit_id,
	'' AS hit_kind,
	'' AS hit_country,
	'' AS hit_device,
	'' AS hit_source,
	'' AS hit_event,
	toDecimal64(0, 4) AS hit_amount
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country = {f3:String}
	AND kind IN ('pageview', 'conversion', 'microconversion')
	AND session != 0
	AND ts <= fromUnixTimestamp64Milli({now:Int64})
	AND ts > fromUnixTimestamp64Milli({before_minutes:Int64})
GROUP BY at
)
UNION ALL
SELECT * FROM (
SELECT part AS part,
	label AS label,
	toInt64(0) AS at,
	visits AS visits,
	toUInt64(0) AS page_views,
	toUInt64(0) AS entrance_hits,
	toUInt64(0) AS hit_id,
	'' AS hit_kind,
	'' AS hit_country,
	'' AS hit_device,
	'' AS hit_source,
	'' AS hit_event,
	toDecimal64(0, 4) AS hit_amount
FROM (
SELECT multiIf(grouping(path) = 0, 'pages', grouping(utm_source) = 0, 'sources', grouping(country) = 0, 'countries', grouping(device) = 0, 'devices', 'total') AS part,
	concat(path, utm_source, country, device) AS label,
	uniqExact(session) AS visits
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country = {f3:String}
	AND kind IN ('pageview', 'conversion', 'microconversion')
	AND session != 0
	AND ts <= fromUnixTimestamp64Milli({now:Int64})
	AND ts > fromUnixTimestamp64Milli({before_active:Int64})
GROUP BY GROUPING SETS ((), (path), (utm_source), (country), (device))
)
ORDER BY visits DESC, label
LIMIT {rows:UInt8} BY part
)
UNION ALL
SELECT * FROM (
SELECT 'hits' AS part,
	path AS label,
	toUnixTimestamp64Milli(ts) AS at,
	toUInt64(0) AS visits,
	toUInt64(0) AS page_views,
	toUInt64(0) AS entrance_hits,
	bitAnd(cityHash64(session, ts, toString(kind), path, event_type, amount, toString(properties)), 9007199254740991) AS hit_id,
	toString(kind) AS hit_kind,
	country AS hit_country,
	device AS hit_device,
	utm_source AS hit_source,
	event_type AS hit_event,
	amount AS hit_amount
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country = {f3:String}
	AND kind IN ('pageview', 'conversion', 'microconversion')
	AND session != 0
	AND ts <= fromUnixTimestamp64Milli({now:Int64})
	AND ts > fromUnixTimestamp64Milli({hits_after:Int64})
ORDER BY ts DESC, hit_id
LIMIT {hits:UInt32}
);
