import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { exact } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager } from "../../ui/pager/pager.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import { t } from "./report-texts.ts";
import { reportsQuery, useMakeReport } from "./use-reports.ts";

/** Reports about the weeks and months of a site. */
export function ReportsScreen() {
	const site = useSite();
	const [page, setPage] = useState(1);
	const reports = useQuery(reportsQuery(site.id, page));
	const make = useMakeReport(site.id);
	return (
		<>
			<ScreenHead title={t.title}>
				<Link to="/sites/$id/insights" params={{ id: site.id }} className={buttonClass()}>
					{t.insights}
				</Link>
				{may("POST /lens/reports/generate", site.role) &&
					(["weekly", "monthly"] as const).map((type) => (
						<Button key={type} disabled={make.isBusy} onClick={() => make.run(type)}>
							{t.make[type]}
						</Button>
					))}
			</ScreenHead>
			<Card label={t.list}>
				<Loaded query={reports} isEmpty={(data) => data.total === 0} empty={<p>{t.none}</p>}>
					{(data) => (
						<>
							<Items label={t.list}>
								{data.reports.map((report) => (
									<Item
										key={report.id}
										title={`${t.types[report.report_type]}: ${report.period_label}`}
										state={report.status === "failed" ? { text: t.failed, tone: "bad" } : undefined}
										facts={[
											...(report.revenue === null ? [] : [exact(report.revenue, "money", site.currency)]),
											t.found(report.insight_count),
											t.opened(report.view_count),
										].join(" · ")}
										actions={
											<Link
												to="/sites/$id/insights/reports/$report"
												params={{ id: site.id, report: report.id }}
												aria-label={`${t.read}: ${report.period_label}`}
												className={buttonClass("plain", true)}
											>
												{t.read}
											</Link>
										}
									/>
								))}
							</Items>
							<Pager page={page} pageSize={data.page_size} total={data.total} onPage={setPage} />
						</>
					)}
				</Loaded>
			</Card>
		</>
	);
}
