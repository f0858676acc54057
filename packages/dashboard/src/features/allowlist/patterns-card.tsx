import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { download } from "../../lib/download.ts";
import { asFailure } from "../../lib/failure.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { toast } from "../../ui/toast/toast.tsx";
import { usePlanHas } from "../settings/index.ts";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { ManyForm } from "./many-form.tsx";
import { PatternForm } from "./pattern-form.tsx";
import { PatternList } from "./pattern-list.tsx";
import { t } from "./texts.ts";
import { patternsQuery } from "./use-allowlist.ts";

/** The addresses that are let in: one by one, or many as lines of a text. */
export function PatternsCard() {
	const site = useSite();
	const [isAdding, setAdding] = useState(false);
	const patterns = useQuery(patternsQuery(site.id));
	const isInPlan = usePlanHas("ip_allowlist");
	const hasSome = patterns.data !== undefined && patterns.data.total > 0;
	return (
		<Card
			title={t.patterns}
			actions={
				<div className={styles.actions}>
					{isInPlan && (
						<Button small onClick={() => setAdding(true)}>
							{t.many}
						</Button>
					)}
					{hasSome && (
						<Button small onClick={() => void saveList(site.id)}>
							{t.export}
						</Button>
					)}
				</div>
			}
		>
			<div className={styles.form}>
				{isInPlan && <PatternForm />}
				<Loaded query={patterns} isEmpty={({ total }) => total === 0} empty={<p>{t.none}</p>}>
					{(data) => <PatternList patterns={data.patterns} />}
				</Loaded>
			</div>
			{isAdding && (
				<Dialog title={t.many} onClose={() => setAdding(false)}>
					<ManyForm onDone={() => setAdding(false)} />
				</Dialog>
			)}
		</Card>
	);
}

async function saveList(site: string): Promise<void> {
	try {
		const { text } = await call("GET /ip-allowlist/export", { query: { account_id: site, include_inactive: true } });
		download(`${site}-allowlist.txt`, new Blob([text], { type: "text/plain;charset=utf-8" }));
	} catch (error) {
		toast(failureText(asFailure(error)));
	}
}
