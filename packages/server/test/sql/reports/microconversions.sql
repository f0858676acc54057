-- GET /stats/microconversions?period=30d&conversion_type=signup

-- reads by_event
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["signup"]
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_event"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT event_type AS conversion_type,
	sum(microconversion) AS microconversions,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type IN {f3:Array(String)}
GROUP BY conversion_type
HAVING microconversions != 0
ORDER BY microconversions DESC, conversion_type ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads by_event
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ["signup"]
-- limit = 100
-- most = 5000
-- setting preferred_optimize_projection_name = "by_event"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT event_type AS conversion_type,
	utm_source,
	utm_medium,
	utm_campaign,
	utm_term,
	utm_content,
	sum(microconversion) AS microconversions
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND event_type IN {f3:Array(String)}
GROUP BY conversion_type, utm_source, utm_medium, utm_campaign, utm_term, utm_content
HAVING microconversions != 0
ORDER BY microconversions DESC, conversion_type ASC, utm_source ASC, utm_medium ASC, utm_campaign ASC, utm_term ASC, utm_content ASC
LIMIT {limit:UInt64} BY conversion_type
LIMIT {most:UInt64};
