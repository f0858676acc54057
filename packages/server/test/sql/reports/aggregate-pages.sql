-- GET /stats/aggregate/pages?account_ids=shop&account_ids=store&period=30d&country=ES

-- reads events
-- limit = 50
-- offset = 0
-- site = ["shop","store"]
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f5 = ["ES"]
-- setting optimize_use_projections = 0
SELECT path,
	content_grouping,
	count() AS account_count,
	sum(parts.entrances) AS entrances,
	sum(parts.engaged_entrances) AS engaged_entrances,
	sum(parts.page_views) AS page_views,
	sum(parts.conversions) AS conversions,
	count() OVER () AS total_rows
FROM (
SELECT site,
	path,
	content_group AS content_grouping,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(conversion) AS conversions
FROM events
WHERE site IN {site:Array(String)}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f5:Array(String)}
GROUP BY site, path, content_grouping
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR conversions != 0
) AS parts
GROUP BY path, content_grouping
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR conversions != 0
ORDER BY entrances DESC, path, content_grouping
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
