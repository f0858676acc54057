import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../ui/card/card.tsx";
import { Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import styles from "./exports.module.css";
import { JobRow } from "./job-row.tsx";
import { jobsQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** The exports of a site, and how far those are that are being made. */
export function JobsCard() {
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
			<Loaded query={query} isEmpty={({ exports }) => exports.length === 0} empty={<p>{t.none}</p>}>
				{({ exports }) => (
					<Items label={t.jobs}>
						{exports.map((job) => (
							<JobRow key={job.job_id} job={job} />
						))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}
