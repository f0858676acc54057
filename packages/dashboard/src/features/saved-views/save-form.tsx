import { useState } from "react";
import { reaches } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { useForm } from "../../lib/use-form.ts";
import { Check, Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
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
	const { add, change } = useViews();
	const [name, setName] = useState("");
	const before = own.find((view) => view.name === name.trim());
	const form = useForm(async (values) => {
		if (before) await change.mutateAsync({ row: before, to: { definition } });
		else await add.mutateAsync({ kind, name, definition, is_shared: values.has("shared") });
		onDone();
	});
	return (
		<Form form={form} className={styles.save}>
			<Field
				label={t.name}
				hint={before && t.taken}
				name="name"
				value={name}
				onChange={(event) => setName(event.target.value)}
				required
				maxLength={100}
				autoComplete="off"
			/>
			{!before && reaches(role, "editor") && <Check label={sharing.share} name="shared" />}
			<div className={styles.buttons}>
				<Submit small>{before ? t.replace : t.save}</Submit>
			</div>
		</Form>
	);
}
