-- POST /stats/funnel?period=12m&utm_source=google {"steps":["/","/shop/*","add_to_cart","x' OR 1=1 --"]}

-- reads events
-- names = ["add_to_cart","x' OR 1=1 --"]
-- site = "shop"
-- start = "2025-11-22"
-- end = "2026-11-21"
-- f4 = ["google"]
-- s0 = "/"
-- s1 = "/shop/"
-- s2 = "add_to_cart"
-- s3 = "x' OR 1=1 --"
-- setting optimize_use_projections = 0
WITH (
SELECT groupUniqArray(event_type)
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = 'microconversion'
	AND event_type IN {names:Array(String)}
) AS microconversion_types
SELECT reached,
	count() AS sessions
FROM (
SELECT arrayFold((reached, hit) -> toUInt8(reached + bitTest(hit, reached)), arraySort(groupArray(bitShiftLeft(toUInt64(toUnixTimestamp64Milli(ts)) * 4 + transform(kind, ['pageview', 'microconversion'], [0, 1], 2), 16) + steps)), toUInt8(0)) AS reached
FROM (
SELECT session,
	ts,
	kind,
	bitShiftLeft(toUInt64(kind = 'pageview' AND path = {s0:String}), 0)
	+ bitShiftLeft(toUInt64(kind = 'pageview' AND startsWith(path, {s1:String})), 1)
	+ bitShiftLeft(toUInt64(kind = if(has(microconversion_types, {s2:String}), 'microconversion', 'conversion') AND event_type = {s2:String}), 2)
	+ bitShiftLeft(toUInt64(kind = if(has(microconversion_types, {s3:String}), 'microconversion', 'conversion') AND event_type = {s3:String}), 3) AS steps
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND utm_source IN {f4:Array(String)}
	AND kind IN ('pageview', 'microconversion', 'conversion')
	AND session != 0
)
WHERE steps != 0
GROUP BY session
)
GROUP BY reached;
