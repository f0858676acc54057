-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20","dimensions":["path","referrer_domain"],"metrics":["page_views"],"filters":{"path_starts_with":"/p","content_grouping_not":"draft","conversion_type":["signup","lead"],"hour":[4,5]}}

-- reads events
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- around_start0 = "2026-10-21"
-- around_end0 = "2026-11-21"
-- f5 = ["signup","lead"]
-- f6 = ["4","5"]
-- f7 = "/p"
-- f8 = ["draft"]
-- limit = 100
-- offset = 0
-- setting optimize_use_projections = 0
SELECT path,
	referrer AS referrer_domain,
	sum(page_view) AS page_views,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND session GLOBAL IN (
SELECT session
FROM events
WHERE site = {site:String}
	AND date BETWEEN {around_start0:Date} AND {around_end0:Date}
	AND kind IN ('conversion', 'microconversion')
	AND session != 0
	AND event_type IN {f5:Array(String)}
)
	AND hour IN {f6:Array(String)}
	AND startsWith(path, {f7:String})
	AND content_group NOT IN {f8:Array(String)}
GROUP BY path, referrer_domain
HAVING page_views != 0
ORDER BY page_views DESC, path ASC, referrer_domain ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
