-- GET /stats/overview?period=today&granularity=hourly

-- reads by_day
-- site = "shop"
-- start = "2026-11-21"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
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
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 OR paid_conversions != 0 OR visit_seconds != 0 OR visitors != 0
ORDER BY date;

-- reads by_hour
-- site = "shop"
-- start = "2026-11-21"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_hour"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT date,
	hour,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date, hour
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY date, hour;

-- reads events
-- site = "shop"
-- start = "2026-11-21"
-- end = "2026-11-21"
-- setting optimize_use_projections = 0
SELECT date,
	hour,
	uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)) + sum(visitor) AS visitors
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date, hour
HAVING visitors != 0
ORDER BY date, hour;
