-- GET /stats/pages?period=30d&include_utm=true&include=device&include=browser&include=os&include=channel_group

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT path,
	content_group AS content_grouping,
	utm_source,
	utm_medium,
	utm_campaign,
	utm_term,
	utm_content,
	device AS device_type,
	browser,
	os,
	channel AS channel_group,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path, content_grouping, utm_source, utm_medium, utm_campaign, utm_term, utm_content, device_type, browser, os, channel_group
HAVING page_views != 0 OR entrances != 0
ORDER BY page_views DESC, path ASC, content_grouping ASC, utm_source ASC, utm_medium ASC, utm_campaign ASC, utm_term ASC, utm_content ASC, device_type ASC, browser ASC, os ASC, channel_group ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
