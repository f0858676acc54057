-- POST /stats/query/export {"date_from":"2026-10-22","date_to":"2026-11-20","granularity":"daily","dimensions":["os"],"limit":100000}

-- reads by_audience
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- limit = 100000
-- offset = 0
-- setting preferred_optimize_projection_name = "by_audience"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
-- setting max_execution_time = 300
SELECT date,
	os,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date, os
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, date ASC, os ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
