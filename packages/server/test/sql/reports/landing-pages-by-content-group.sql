-- GET /stats/landing-pages/by-content-group?period=30d

-- reads by_landing
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- f3 = ""
-- setting preferred_optimize_projection_name = "by_landing"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT landing_content_grouping,
	count() AS unique_values,
	sum(parts.entrances) AS entrances,
	sum(parts.engaged_entrances) AS engaged_entrances,
	sum(parts.microconversions) AS microconversions,
	sum(parts.conversions) AS conversions,
	sum(parts.revenue) AS revenue
FROM (
SELECT landing_group AS landing_content_grouping,
	landing_path AS landing_page,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND landing_group != {f3:String}
GROUP BY landing_content_grouping, landing_page
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
) AS parts
GROUP BY landing_content_grouping
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, landing_content_grouping ASC;
