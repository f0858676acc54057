-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20","dimensions":["landing_page"],"filters":{"path":"/p1"},"compare":"previous","compare_rows":"joined"}

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;

-- reads by_landing
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- earlier_start = "2026-09-22"
-- earlier_end = "2026-10-21"
-- f5 = ["/p1"]
-- limit = 100
-- offset = 0
-- setting preferred_optimize_projection_name = "by_landing"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT landing_page,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	sumIf(parts.engaged_entrances, is_current) AS engaged_entrances,
	sumIf(parts.engaged_entrances, is_earlier) AS earlier_engaged_entrances,
	sumIf(parts.page_views, is_current) AS page_views,
	sumIf(parts.page_views, is_earlier) AS earlier_page_views,
	sumIf(parts.microconversions, is_current) AS microconversions,
	sumIf(parts.microconversions, is_earlier) AS earlier_microconversions,
	sumIf(parts.conversions, is_current) AS conversions,
	sumIf(parts.conversions, is_earlier) AS earlier_conversions,
	sumIf(parts.revenue, is_current) AS revenue,
	sumIf(parts.revenue, is_earlier) AS earlier_revenue,
	entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	landing_path AS landing_page,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND landing_path IN {f5:Array(String)}
GROUP BY is_current, is_earlier, landing_page
) AS parts
GROUP BY landing_page
ORDER BY is_counted DESC, entrances DESC, landing_page ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
