import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../ui/card/card.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import { ExportForm } from "./export-form.tsx";
import styles from "./exports.module.css";
import { JobRow } from "./job-row.tsx";
import { jobsQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Figures and events of a site as files. */
export const ExportsScreen = () => (
	<div className={styles.screen}>
		<ScreenHead title={t.title} />
		<p className={styles.intro}>{t.intro}</p>
		<ExportForm />
		<JobsCard />
	</div>
);

/** The exports of a site, and how far those are that are being made. */
function JobsCard() {
	const site = useSite();
	const [showsExpired, setShowsExpired] = useState(false);
	const query = useQuery({ ...jobsQuery(site.id, showsExpired), placeholderData: keepPreviousData });
	return (
		<Card
			title={t.jobs}
			actions={
				<label className={styles.check}>
					<input type="checkbox" checked={showsExpired} onChange={(event) => setShowsExpired(event.target.checked)} />
					{t.showExpired}
				</label>
			}
		>
			<LoadedItems label={t.jobs} query={query} of={({ exports }) => exports} empty={<p>{t.none}</p>}>
				{(job) => <JobRow key={job.job_id} job={job} />}
			</LoadedItems>
		</Card>
	);
}
