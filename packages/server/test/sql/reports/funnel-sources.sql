-- GET /stats/funnel?period=12m&country=ES

-- reads events
-- site = "shop"
-- start = "2025-11-22"
-- end = "2026-11-21"
-- f3 = ["ES"]
-- setting optimize_use_projections = 0
SELECT campaign,
	sum(parts.entrances) AS entrances,
	sum(parts.page_views) AS page_views,
	mapSort(mapFromArrays(groupArrayIf(event_type, parts.microconversions != 0), groupArrayIf(parts.microconversions, parts.microconversions != 0))) AS microconversions,
	mapSort(mapFromArrays(groupArrayIf(event_type, parts.conversions != 0), groupArrayIf(parts.conversions, parts.conversions != 0))) AS conversions,
	mapSort(mapFromArrays(groupArrayIf(event_type, parts.conversions != 0), groupArrayIf(parts.revenue, parts.conversions != 0))) AS revenue
FROM (
SELECT campaign,
	event_type,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
GROUP BY campaign, event_type
) AS parts
GROUP BY campaign
HAVING entrances != 0 OR page_views != 0 OR notEmpty(microconversions) OR notEmpty(conversions)
ORDER BY entrances DESC, campaign
LIMIT 1000;

-- reads events
-- site = "shop"
-- start = "2025-11-22"
-- end = "2026-11-21"
-- f3 = ["ES"]
-- setting optimize_use_projections = 0
SELECT sum(parts.entrances) AS entrances,
	sum(parts.page_views) AS page_views,
	mapSort(mapFromArrays(groupArrayIf(event_type, parts.microconversions != 0), groupArrayIf(parts.microconversions, parts.microconversions != 0))) AS microconversions,
	mapSort(mapFromArrays(groupArrayIf(event_type, parts.conversions != 0), groupArrayIf(parts.conversions, parts.conversions != 0))) AS conversions,
	mapSort(mapFromArrays(groupArrayIf(event_type, parts.conversions != 0), groupArrayIf(parts.revenue, parts.conversions != 0))) AS revenue
FROM (
SELECT event_type,
	sum(entrance) AS entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND country IN {f3:Array(String)}
GROUP BY event_type
) AS parts;
