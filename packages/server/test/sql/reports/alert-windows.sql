-- What alert rules measure

-- reads events
-- site = ["shop"]
-- start = "2026-11-19"
-- end = "2026-11-22"
-- f3 = "x' OR 1=1 --"
-- bounds = [1795172400000,1795176000000,1795257000000,1795258800000,1795260600000,1795262400000]
-- kept = [1795172400000,1795257000000,1795258800000,1795260600000]
-- from = 1795172400000
-- until = 1795262400000
-- setting optimize_use_projections = 0
SELECT site,
	roundDown(toUnixTimestamp64Milli(ts), {bounds:Array(Int64)}) AS part,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site IN {site:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND utm_source = {f3:String}
	AND ts >= fromUnixTimestamp64Milli({from:Int64})
	AND ts < fromUnixTimestamp64Milli({until:Int64})
	AND part IN {kept:Array(Int64)}
GROUP BY site, part;
