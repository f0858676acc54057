-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20"}

-- reads by_day
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- limit = 100
-- offset = 0
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
ORDER BY entrances DESC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
