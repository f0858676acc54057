-- GET /stats/geo/countries?period=this_week&compare=previous&compare_align=elapsed

-- reads by_audience, events
-- site = "shop"
-- start = "2026-11-16"
-- end = "2026-11-22"
-- earlier_start = "2026-11-09"
-- earlier_end = "2026-11-13"
-- until_day = "2026-11-14"
-- until_hour = 12
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_audience"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT country,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	sumIf(parts.page_views, is_current) AS page_views,
	sumIf(parts.page_views, is_earlier) AS earlier_page_views,
	sumIf(parts.engaged_entrances, is_current) AS engaged_entrances,
	sumIf(parts.engaged_entrances, is_earlier) AS earlier_engaged_entrances,
	sumIf(parts.conversions, is_current) AS conversions,
	sumIf(parts.conversions, is_earlier) AS earlier_conversions,
	sumIf(parts.revenue, is_current) AS revenue,
	sumIf(parts.revenue, is_earlier) AS earlier_revenue,
	entrances != 0 OR page_views != 0 OR engaged_entrances != 0 OR conversions != 0 OR revenue != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows,
	sum(earlier_entrances) OVER () AS total_earlier_entrances,
	sum(earlier_page_views) OVER () AS total_earlier_page_views,
	sum(earlier_engaged_entrances) OVER () AS total_earlier_engaged_entrances,
	sum(earlier_conversions) OVER () AS total_earlier_conversions,
	sum(earlier_revenue) OVER () AS total_earlier_revenue
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	country,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (date <= {earlier_end:Date} OR date >= {start:Date})
GROUP BY is_current, is_earlier, country
UNION ALL
SELECT 0 AS is_current,
	1 AS is_earlier,
	country,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date = {until_day:Date}
	AND hour < {until_hour:UInt8}
GROUP BY is_current, is_earlier, country
) AS parts
GROUP BY country
ORDER BY is_counted DESC, entrances DESC, country ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
