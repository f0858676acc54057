import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field } from "../../ui/field/field.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Problem } from "../../ui/page/form-page.tsx";
import styles from "./organizations.module.css";
import type { Organization } from "./queries.ts";
import { t } from "./texts.ts";

/** Name of an organization; its addresses do not change. */
export function NameCard({ organization: { slug, name } }: { readonly organization: Organization }) {
	const rename = useChange({
		run: ({ now }: { now: string; before: string }) =>
			call("PATCH /organizations/{slug}", { path: { slug }, body: { name: now } }),
		stale: ["GET /organizations", "GET /organizations/{slug}", "GET /audit/logs"],
		done: () => t.saved,
		undo: (_, { before }) => call("PATCH /organizations/{slug}", { path: { slug }, body: { name: before } }),
	});
	const form = useForm((values) => rename.mutateAsync({ now: textOf(values, "name"), before: name }), {
		draft: "name",
	});
	return (
		<form className={styles.form} {...form.keeping}>
			<Problem failure={form.failure} />
			<Field
				key={name}
				label={t.name}
				hint={t.slug(slug)}
				name="name"
				defaultValue={name}
				maxLength={255}
				required
				error={form.errorOf("name")}
			/>
			<div className={styles.actions}>
				<Button type="submit" look="primary" disabled={form.isBusy}>
					{t.save}
				</Button>
			</div>
		</form>
	);
}
