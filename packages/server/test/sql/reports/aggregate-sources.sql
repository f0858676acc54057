-- GET /stats/aggregate/sources?account_ids=shop&account_ids=store&period=30d&sort_by=bounce_rate

-- reads by_source
-- limit = 50
-- offset = 0
-- site = ["shop","store"]
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT utm_source,
	count() AS account_count,
	sum(parts.conversions) AS conversions,
	sum(parts.entrances) AS entrances,
	sum(parts.engaged_entrances) AS engaged_entrances,
	sum(parts.page_views) AS page_views,
	sum(parts.microconversions) AS microconversions,
	sum(parts.revenue) AS revenue,
	count() OVER () AS total_rows
FROM (
SELECT site,
	utm_source,
	sum(conversion) AS conversions,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site IN {site:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY site, utm_source
HAVING conversions != 0 OR entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR revenue != 0
) AS parts
GROUP BY utm_source
HAVING conversions != 0 OR entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR revenue != 0
ORDER BY if(entrances = 0, 0, (entrances - engaged_entrances) / entrances) DESC, utm_source
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
