-- GET /stats/landing-pages/top?period=30d

-- reads by_landing
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- limit = 10
-- setting preferred_optimize_projection_name = "by_landing"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT landing_path AS landing_page,
	landing_group AS landing_content_grouping,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY landing_page, landing_content_grouping
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, landing_page ASC, landing_content_grouping ASC
LIMIT {limit:UInt64};
