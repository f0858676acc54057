-- GET /stats/landing-pages?period=30d&include_utm=true&include=os&sort_by=bounce_rate&compare=yoy&content_grouping=blog

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- earlier_start = "2025-10-23"
-- earlier_end = "2025-11-21"
-- f5 = ["blog"]
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT any(k0) AS landing_page,
	any(k1) AS landing_content_grouping,
	any(k2) AS campaign,
	any(k3) AS os,
	sumIf(parts.entrances, is_current) AS entrances,
	sumIf(parts.entrances, is_earlier) AS earlier_entrances,
	sumIf(parts.engaged_entrances, is_current) AS engaged_entrances,
	sumIf(parts.engaged_entrances, is_earlier) AS earlier_engaged_entrances,
	sumIf(parts.microconversions, is_current) AS microconversions,
	sumIf(parts.microconversions, is_earlier) AS earlier_microconversions,
	sumIf(parts.conversions, is_current) AS conversions,
	sumIf(parts.conversions, is_earlier) AS earlier_conversions,
	sumIf(parts.revenue, is_current) AS revenue,
	sumIf(parts.revenue, is_earlier) AS earlier_revenue,
	entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 AS is_counted,
	countIf(is_counted) OVER () AS total_rows,
	sum(earlier_entrances) OVER () AS total_earlier_entrances,
	sum(earlier_engaged_entrances) OVER () AS total_earlier_engaged_entrances,
	sum(earlier_microconversions) OVER () AS total_earlier_microconversions,
	sum(earlier_conversions) OVER () AS total_earlier_conversions,
	sum(earlier_revenue) OVER () AS total_earlier_revenue
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	cityHash64(landing_path) AS h0,
	cityHash64(landing_group) * 11400714819323198485 + cityHash64(campaign) * 15755400384260043839 + cityHash64(os) * 1663341875487337577 AS h1,
	any(landing_path) AS k0,
	any(landing_group) AS k1,
	any(campaign) AS k2,
	any(os) AS k3,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (date <= {earlier_end:Date} OR date >= {start:Date})
	AND landing_group IN {f5:Array(String)}
GROUP BY is_current, is_earlier, h0, h1
) AS parts
GROUP BY h0, h1
ORDER BY is_counted DESC, if(entrances = 0, 0, (entrances - engaged_entrances) / entrances) DESC, landing_page ASC, landing_content_grouping ASC, campaign ASC, os ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
