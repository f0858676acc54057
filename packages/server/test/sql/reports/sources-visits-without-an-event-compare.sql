-- GET /stats/sources?period=30d&compare=yoy&filters=conversion_type:ne:signup

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- earlier_start = "2025-10-23"
-- earlier_end = "2025-11-21"
-- around_start0 = "2026-10-22"
-- around_end0 = "2026-11-22"
-- around_start1 = "2025-10-22"
-- around_end1 = "2025-11-22"
-- f9 = "signup"
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT utm_source,
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
	utm_source,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (date <= {earlier_end:Date} OR date >= {start:Date})
	AND session GLOBAL NOT IN (
SELECT session
FROM events
WHERE site = {site:String}
	AND (date BETWEEN {around_start0:Date} AND {around_end0:Date} OR date BETWEEN {around_start1:Date} AND {around_end1:Date})
	AND kind IN ('conversion', 'microconversion')
	AND session != 0
	AND event_type = {f9:String}
)
GROUP BY is_current, is_earlier, utm_source
) AS parts
GROUP BY utm_source
ORDER BY is_counted DESC, entrances DESC, utm_source ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
