-- GET /stats/pages?period=30d&include_utm=true&include=device&include=browser&include=os&include=channel_group

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- limit = 50
-- offset = 0
-- setting optimize_use_projections = 0
SELECT k0 AS path,
	k1 AS content_grouping,
	k2 AS campaign,
	k3 AS device_type,
	k4 AS browser,
	k5 AS os,
	k6 AS channel_group,
	page_views,
	entrances,
	count() OVER () AS total_rows
FROM (
SELECT any(path) AS k0,
	any(content_group) AS k1,
	any(campaign) AS k2,
	any(device) AS k3,
	any(browser) AS k4,
	any(os) AS k5,
	any(channel) AS k6,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY cityHash64(path), cityHash64(content_group) * 11400714819323198485 + cityHash64(campaign) * 15755400384260043839 + cityHash64(device) * 1663341875487337577 + cityHash64(browser) * 6018027440424182931 + cityHash64(os) * 10372713005361028285 + cityHash64(channel) * 14727398570297873639
) AS parts
WHERE page_views != 0 OR entrances != 0
ORDER BY page_views DESC, path ASC, content_grouping ASC, campaign ASC, device_type ASC, browser ASC, os ASC, channel_group ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
