-- GET /stats/channels?period=30d&channel_group=

-- reads by_source
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = [""]
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT channel AS channel_group,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(events.revenue) AS revenue,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND channel IN {f3:Array(String)}
GROUP BY channel_group
HAVING entrances != 0 OR engaged_entrances != 0 OR conversions != 0 OR page_views != 0 OR microconversions != 0 OR revenue != 0
ORDER BY entrances DESC, channel_group ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
