-- GET /stats/pages?period=30d&compare=previous&country=ES

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- earlier_start = "2026-09-23"
-- earlier_end = "2026-10-22"
-- f5 = ["ES"]
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT path,
	content_grouping,
	sumIf(parts.page_views, is_current) AS page_views,
	sumIf(parts.page_views, is_earlier) AS earlier_page_views,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	sumIf(parts.engaged_entrances, is_earlier) AS earlier_engaged_entrances,
	sumIf(parts.conversions, is_earlier) AS earlier_conversions,
	sumIf(parts.revenue, is_earlier) AS earlier_revenue,
	page_views != 0 OR entrances != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows,
	sum(earlier_entrances) OVER () AS total_earlier_entrances,
	sum(earlier_engaged_entrances) OVER () AS total_earlier_engaged_entrances,
	sum(earlier_page_views) OVER () AS total_earlier_page_views,
	sum(earlier_conversions) OVER () AS total_earlier_conversions,
	sum(earlier_revenue) OVER () AS total_earlier_revenue
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	path,
	content_group AS content_grouping,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND country IN {f5:Array(String)}
GROUP BY is_current, is_earlier, path, content_grouping
) AS parts
GROUP BY path, content_grouping
ORDER BY is_counted DESC, page_views DESC, path ASC, content_grouping ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
