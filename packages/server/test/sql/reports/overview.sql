-- GET /stats/overview?period=30d

-- reads by_hour
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_hour"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date};
