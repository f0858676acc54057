import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import page from "../../ui/page/page.module.css";
import { toast } from "../../ui/toast/toast.tsx";
import { sitesQuery, useSite } from "../site/index.ts";
import { t } from "./texts.ts";

/** The score above which hits are left out. */
export function ThresholdEditor({ onDone }: { readonly onDone: () => void }) {
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
		<form className={page.form} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
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
				error={form.errorOf("bot_threshold")}
			/>
			<Button type="submit" look="primary" disabled={form.isBusy}>
				{t.save}
			</Button>
		</form>
	);
}
