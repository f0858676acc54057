-- GET /stats/aggregate/overview?account_ids=shop&account_ids=store&period=30d&compare=previous

-- reads by_day
-- site = ["shop","store"]
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT site,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	sumIf(conversion, events.revenue > 0) AS paid_conversions
FROM events
WHERE site IN {site:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY site
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 OR paid_conversions != 0
ORDER BY site;

-- reads by_day
-- site = ["shop","store"]
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT date,
	count() AS account_count,
	sum(parts.entrances) AS entrances,
	sum(parts.page_views) AS page_views,
	sum(parts.conversions) AS conversions
FROM (
SELECT site,
	date,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(conversion) AS conversions
FROM events
WHERE site IN {site:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY site, date
HAVING entrances != 0 OR page_views != 0 OR conversions != 0
) AS parts
GROUP BY date
HAVING entrances != 0 OR page_views != 0 OR conversions != 0
ORDER BY date;

-- reads by_day
-- site = ["shop","store"]
-- start = "2026-09-23"
-- end = "2026-10-22"
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT site,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	sumIf(conversion, events.revenue > 0) AS paid_conversions
FROM events
WHERE site IN {site:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY site
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 OR paid_conversions != 0
ORDER BY site;

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;

-- reads events
-- site = "store"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
