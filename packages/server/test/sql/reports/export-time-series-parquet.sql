-- POST /exports/stream {"date_from":"2026-11-19","date_to":"2026-11-21","export_type":"time_series","format":"parquet"}

-- reads by_day
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
-- setting max_execution_time = 3600
-- setting output_format_json_escape_forward_slashes = 0
-- setting output_format_parquet_row_group_size = 100000
SELECT toDate32(date) AS date,
	entrances AS entrances,
	engaged_entrances AS engaged_entrances,
	page_views AS page_views,
	microconversions AS microconversions,
	conversions AS conversions,
	revenue AS revenue,
	visitors AS visitors,
	if(entrances = 0, 0, intDiv(visit_seconds * 200 + entrances, entrances * 2) / 100) AS visit_duration
FROM (
SELECT date,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue,
	uniqCombinedIf(20)(bitShiftRight(session, 17) + bitShiftLeft(toUInt64(date), 47), (entrance > 0) AND (session > 0)) + sum(visitor) AS visitors,
	sum(events.visit_seconds) AS visit_seconds
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0 OR visitors != 0 OR visit_seconds != 0
ORDER BY date ASC WITH FILL FROM toDate({start:Date}) TO toDate({end:Date}) + 1
)
ORDER BY date ASC;
