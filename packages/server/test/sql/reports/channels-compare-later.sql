-- GET /stats/channels?start_date=2026-05-01&end_date=2026-05-31&compare=custom&compare_start=2026-06-01&compare_end=2026-06-30

-- reads by_source
-- site = "shop"
-- start = "2026-05-01"
-- end = "2026-05-31"
-- earlier_start = "2026-06-01"
-- earlier_end = "2026-06-30"
-- limit = 50
-- offset = 0
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT channel_group,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	sumIf(parts.engaged_entrances, is_current) AS engaged_entrances,
	sumIf(parts.engaged_entrances, is_earlier) AS earlier_engaged_entrances,
	sumIf(parts.conversions, is_current) AS conversions,
	sumIf(parts.conversions, is_earlier) AS earlier_conversions,
	sumIf(parts.page_views, is_current) AS page_views,
	sumIf(parts.page_views, is_earlier) AS earlier_page_views,
	sumIf(parts.microconversions, is_current) AS microconversions,
	sumIf(parts.microconversions, is_earlier) AS earlier_microconversions,
	sumIf(parts.revenue, is_current) AS revenue,
	sumIf(parts.revenue, is_earlier) AS earlier_revenue,
	entrances != 0 OR engaged_entrances != 0 OR conversions != 0 OR page_views != 0 OR microconversions != 0 OR revenue != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows,
	sum(earlier_entrances) OVER () AS total_earlier_entrances,
	sum(earlier_engaged_entrances) OVER () AS total_earlier_engaged_entrances,
	sum(earlier_conversions) OVER () AS total_earlier_conversions,
	sum(earlier_page_views) OVER () AS total_earlier_page_views,
	sum(earlier_microconversions) OVER () AS total_earlier_microconversions,
	sum(earlier_revenue) OVER () AS total_earlier_revenue
FROM (
SELECT date BETWEEN {start:Date} AND {end:Date} AS is_current,
	date BETWEEN {earlier_start:Date} AND {earlier_end:Date} AS is_earlier,
	channel AS channel_group,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(conversion) AS conversions,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND (date BETWEEN {start:Date} AND {end:Date} OR date BETWEEN {earlier_start:Date} AND {earlier_end:Date})
GROUP BY is_current, is_earlier, channel_group
) AS parts
GROUP BY channel_group
ORDER BY is_counted DESC, entrances DESC, channel_group ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
