-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20","dimensions":["conversion_type"]}

-- reads by_event
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- limit = 100
-- offset = 0
-- setting preferred_optimize_projection_name = "by_event"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT event_type AS conversion_type,
	sum(conversion) AS conversions,
	sum(microconversion) AS microconversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY conversion_type
HAVING conversions != 0 OR microconversions != 0 OR revenue != 0
ORDER BY conversions DESC, conversion_type ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
