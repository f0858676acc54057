-- GET /stats/overview?period=this_week&compare=previous&compare_align=elapsed&country=ES

-- reads events
-- site = "shop"
-- start = "2026-11-16"
-- end = "2026-11-22"
-- earlier_start = "2026-11-09"
-- earlier_end = "2026-11-15"
-- until_day = "2026-11-14"
-- until_hour = 12
-- f7 = ["ES"]
-- setting optimize_use_projections = 0
SELECT date,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	sumIf(conversion, events.revenue > 0) AS paid_conversions,
	sum(events.visit_seconds) AS visit_seconds,
	uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)) + sum(visitor) AS visitors
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (date >= {start:Date} OR (date < {until_day:Date} OR date = {until_day:Date} AND hour < {until_hour:UInt8}))
	AND country IN {f7:Array(String)}
GROUP BY date
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 OR paid_conversions != 0 OR visit_seconds != 0 OR visitors != 0
ORDER BY date;

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
