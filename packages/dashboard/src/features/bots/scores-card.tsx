import { useQueryClient } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { count, exact, figure } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Histogram } from "../../ui/charts/histogram.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import page from "../../ui/page/page.module.css";
import { toast } from "../../ui/toast/toast.tsx";
import { sitesQuery, useSite } from "../site/index.ts";
import styles from "./bots.module.css";
import { scoreColumns, thresholdAt } from "./scores.ts";
import { t } from "./texts.ts";

type Distribution = Answer<"GET /bot-stats/overview">["distribution"];

/** How suspicious hits are, and which of them the threshold leaves out. */
export function ScoresCard({ distribution }: { readonly distribution: Distribution }) {
	const site = useSite();
	const threshold = site.bot_threshold;
	const [isOpen, setOpen] = useState(false);
	return (
		<Card
			title={t.scores}
			label={t.scores}
			actions={
				may("PATCH /sites/{id}", site.role) && (
					<Button small onClick={() => setOpen(true)}>
						<SlidersHorizontal size={16} aria-hidden="true" /> {t.change}
					</Button>
				)
			}
		>
			{distribution.total_hits === 0 ? (
				<p className={styles.about}>{t.empty}</p>
			) : (
				<>
					<p>
						{t.summary(exact(distribution.suspicious_percentage, "rate"), count(distribution.total_hits), threshold)}
					</p>
					<Scores distribution={distribution} threshold={threshold} />
					<p className={styles.about}>
						{t.about} {t.logarithm}
					</p>
				</>
			)}
			{isOpen && (
				<Dialog title={t.change} onClose={() => setOpen(false)}>
					<ThresholdEditor onDone={() => setOpen(false)} />
				</Dialog>
			)}
		</Card>
	);
}

const Scores = ({ distribution, threshold }: { readonly distribution: Distribution; readonly threshold: number }) => (
	<Histogram
		label={t.chart}
		line={{ at: thresholdAt(threshold), label: t.lineAt(threshold) }}
		columns={scoreColumns(distribution, threshold).map(({ from, to, count: hits, height, isLeftOut, width }) => ({
			key: String(from),
			label: from === to ? String(from) : `${from}–${to}`,
			height,
			marked: isLeftOut ? 1 : 0,
			width,
			figure: figure(hits, "count"),
			title: t.column(from, to, count(hits), isLeftOut),
		}))}
	/>
);

/** The score above which hits are left out. */
function ThresholdEditor({ onDone }: { readonly onDone: () => void }) {
	const site = useSite();
	const queries = useQueryClient();
	const before = site.bot_threshold;
	const save = async (threshold: number) => {
		await call("PATCH /sites/{id}", { path: { id: site.id }, body: { bot_threshold: threshold } });
		await queries.invalidateQueries({ queryKey: sitesQuery.queryKey });
	};
	const undo = () => void save(before).catch((error: unknown) => toast(asFailure(error).message));
	const form = useForm(async (values) => {
		const threshold = Number(textOf(values, "bot_threshold"));
		await save(threshold);
		toast(t.saved(threshold), { label: t.undo, run: undo });
		onDone();
	});
	return (
		<Form form={form} className={page.form}>
			<Field
				label={t.field}
				hint={t.effect}
				name="bot_threshold"
				type="number"
				min={1}
				max={100}
				step={1}
				required
				defaultValue={before}
			/>
			<Submit />
		</Form>
	);
}
