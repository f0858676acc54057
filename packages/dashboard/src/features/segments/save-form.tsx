import { useQueryClient } from "@tanstack/react-query";
import type { Routes } from "../../api/api.generated.ts";
import { call } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { conditionsOf, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./save-segment.module.css";
import { nameFor } from "./segment-name.ts";
import { segmentsQuery } from "./segments-query.ts";

const t = texts({
	en: {
		name: "Name",
		hint: "Available to everyone with access to the site.",
		saved: (name: string) => `“${name}” saved.`,
	},
	es: {
		name: "Nombre",
		hint: "Disponible para todos con acceso al sitio.",
		saved: (name: string) => `«${name}» guardado.`,
	},
});

/** The name of a new segment. */
export function SaveForm({ onDone }: { readonly onDone: () => void }) {
	const { id: site } = useSite();
	const { f, segment } = useSiteSearch();
	const change = useChangeSearch();
	const client = useQueryClient();
	const form = useForm(async (values) => {
		const shown = textOf(values, "display_name").trim();
		const { name } = await call("POST /segments", {
			query: { account_id: site },
			body: { name: nameFor(shown), display_name: shown, filters: await filtersOf(site, segment, f) },
		});
		await client.invalidateQueries({ queryKey: segmentsQuery(site).queryKey });
		toast(t.saved(shown));
		onDone();
		change({ segment: name, f: [] });
	});
	return (
		<Form form={form} className={styles.form}>
			<Field
				label={t.name}
				hint={t.hint}
				name="display_name"
				required
				maxLength={100}
				autoFocus
				autoComplete="off"
				error={form.errorOf("display_name") ?? form.errorOf("name")}
			/>
			<Submit />
		</Form>
	);
}

type Filters = Routes["POST /segments"]["body"]["filters"];

/** Filters win over the segment's conditions on the same field, as they do in reports. */
async function filtersOf(site: string, segment: string | undefined, f: readonly string[]): Promise<Filters> {
	const own = conditionsOf(f);
	if (segment === undefined) return { conditions: own };
	const { filters } = await call("GET /segments/{id}", { path: { id: segment }, query: { account_id: site } });
	const fields = new Set<string>(own.map(({ field }) => field));
	return { ...filters, conditions: [...filters.conditions.filter(({ field }) => !fields.has(field)), ...own] };
}
