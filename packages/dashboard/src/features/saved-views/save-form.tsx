import { useState } from "react";
import { reaches } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Check, Field } from "../../ui/field/field.tsx";
import { Problem } from "../../ui/page/form-page.tsx";
import { useSite, useSiteSearch } from "../site/index.ts";
import { useViews, type View } from "./use-views.ts";
import { definitionOf } from "./view-address.ts";
import { sharing } from "./view-editor.tsx";
import type { ViewKind } from "./view-kind.ts";
import styles from "./views-panel.module.css";

const t = texts({
	en: {
		name: "Save this view as",
		save: "Save",
		replace: "Replace",
		taken: "You already have a view with this name. Saving replaces it.",
	},
	es: {
		name: "Guardar esta vista como",
		save: "Guardar",
		replace: "Reemplazar",
		taken: "Ya tienes una vista con este nombre. Al guardar se reemplaza.",
	},
});

interface SaveFormProps {
	readonly kind: ViewKind;
	/** The reader's views: one of the same name is replaced. */
	readonly own: readonly View[];
	readonly onDone: () => void;
}

/** Keeps what the address says under a name. */
export function SaveForm({ kind, own, onDone }: SaveFormProps) {
	const { role } = useSite();
	const definition = definitionOf(useSiteSearch());
	const { save, change } = useViews();
	const [name, setName] = useState("");
	const before = own.find((view) => view.name === name.trim());
	const form = useForm(async (values) => {
		if (before) await change.mutateAsync({ before, changes: { definition } });
		else await save.mutateAsync({ kind, name, definition, is_shared: values.has("shared") });
		onDone();
	});
	return (
		<form className={styles.save} onSubmit={form.onSubmit}>
			<Problem failure={form.failure} />
			<Field
				label={t.name}
				hint={before && t.taken}
				name="name"
				value={name}
				onChange={(event) => setName(event.target.value)}
				required
				maxLength={100}
				autoComplete="off"
				error={form.errorOf("name")}
			/>
			{!before && reaches(role, "editor") && <Check label={sharing.share} name="shared" />}
			<div className={styles.buttons}>
				<Button type="submit" look="primary" small disabled={form.isBusy}>
					{before ? t.replace : t.save}
				</Button>
			</div>
		</form>
	);
}
