import { type ChangeEvent, useRef, useState } from "react";
import type { Answer } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Area, Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useSite } from "../site/index.ts";
import styles from "./allowlist.module.css";
import { t } from "./texts.ts";
import { useManyPatterns } from "./use-allowlist.ts";

type Fault = Answer<"POST /ip-allowlist/import">["errors"][number];

/** Many addresses as lines of text, typed, pasted or from a file. Errors are shown by line. */
export function ManyForm({ onDone }: { readonly onDone: () => void }) {
	const site = useSite();
	const lines = useRef<HTMLFormElement>(null);
	const [faults, setFaults] = useState<readonly Fault[]>([]);
	const { add } = useManyPatterns(site.id);
	const form = useForm(async (values) => {
		const input = { text: textOf(values, "text"), prefix: textOf(values, "label_prefix").trim() };
		const { errors } = await add.mutateAsync(input);
		setFaults(errors);
		if (errors.length === 0) onDone();
	});
	const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
		const field = lines.current?.elements.namedItem("text");
		const [file] = target.files ?? [];
		if (file !== undefined && field instanceof HTMLTextAreaElement) field.value = await file.text();
	};
	return (
		<Form form={form} ref={lines} className={styles.form}>
			<Area
				label={t.lines}
				hint={t.manyHint}
				name="text"
				rows={8}
				required
				maxLength={50_000}
				autoFocus
				spellCheck={false}
			/>
			<Field label={t.file} type="file" accept=".txt,.csv,text/plain" onChange={(event) => void read(event)} />
			<Field label={t.prefix} name="label_prefix" maxLength={50} autoComplete="off" />
			{faults.length > 0 && (
				<div role="alert" className={styles.faults}>
					<p>{t.faults(faults.length)}</p>
					<ul>
						{faults.map(({ index, message }) => (
							<li key={index}>{t.line(index + 1, message)}</li>
						))}
					</ul>
				</div>
			)}
			<div className={styles.actions}>
				<Submit>{t.import}</Submit>
				{faults.length > 0 && <Button onClick={onDone}>{t.close}</Button>}
			</div>
		</Form>
	);
}
