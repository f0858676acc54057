-- GET /stats/microconversions-types?period=30d

-- reads by_event
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- limit = 1000
-- setting preferred_optimize_projection_name = "by_event"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT event_type AS conversion_type,
	sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY conversion_type
HAVING microconversions != 0
ORDER BY microconversions DESC, conversion_type ASC
LIMIT {limit:UInt64};
