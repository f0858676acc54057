import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Site } from "../site/index.ts";
import styles from "./channels.module.css";
import { t } from "./texts.ts";

/** Rules in an exported file. */
interface RuleFile {
	readonly version: 1;
	readonly rules: readonly unknown[];
}

/** Reads a file of rules; undefined where it is none. The server looks at the rows. */
function readRuleFile(text: string): RuleFile | undefined {
	try {
		const read = JSON.parse(text) as Partial<RuleFile> | null;
		return read?.version === 1 && Array.isArray(read.rules) ? { version: 1, rules: read.rules } : undefined;
	} catch {
		return undefined;
	}
}

type Scope = "all" | "drafts";
type Report = Extract<Answer<"POST /channel-groups/import">, { would_insert: number }>;

/** Import of rules from a file, with a preview of its effect. */
export function ImportDialog({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
	const [file, setFile] = useState<RuleFile | null>();
	const [scope, setScope] = useState<Scope>("all");
	const report = useQuery(reportQuery(site.id, file, scope));
	const replace = useImport(site.id);
	const form = useForm(async () => {
		if (!file) return;
		await replace.mutateAsync({ file, scope });
		onClose();
	});
	const choose = async ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) =>
		setFile(files?.[0] && (readRuleFile(await files[0].text()) ?? null));
	return (
		<Dialog title={t.importTitle} onClose={onClose}>
			<RecordForm form={form} action={t.import} onCancel={onClose}>
				<Field
					label={t.file}
					hint={t.fileHint}
					type="file"
					accept="application/json,.json"
					required
					error={file === null ? t.noRuleFile : undefined}
					onChange={(event) => void choose(event)}
				/>
				<Select label={t.scope} value={scope} onChange={(event) => setScope(event.target.value as Scope)}>
					<option value="all">{t.scopeAll}</option>
					<option value="drafts">{t.scopeDrafts}</option>
				</Select>
				{file && <Outcome report={report} />}
			</RecordForm>
		</Dialog>
	);
}

const reportQuery = (site: string, file: RuleFile | null | undefined, scope: Scope) => ({
	queryKey: ["POST /channel-groups/import", site, file, scope],
	queryFn: ({ signal }: { signal: AbortSignal }) =>
		call("POST /channel-groups/import", {
			query: { account_id: site, dry_run: true, scope },
			body: file ?? { version: 1, rules: [] },
			signal,
		}) as Promise<Report>,
	enabled: Boolean(file),
	retry: false,
	gcTime: 0,
});

/** Replaces rules; those that were there before come back whole. */
function useImport(site: string) {
	const put = (rules: readonly unknown[], scope: Scope) =>
		call("POST /channel-groups/import", { query: { account_id: site, scope }, body: { version: 1, rules } });
	return useChange({
		run: async ({ file, scope }: { readonly file: RuleFile; readonly scope: Scope }) => {
			const before = await call("GET /channel-groups/export", { query: { account_id: site } });
			await put(file.rules, scope);
			return before;
		},
		stale: ["GET /channel-groups", "POST /channel-groups/test"],
		done: (_, { file }) => t.imported(file.rules.length),
		undo: ({ rules }) => put(rules, "all"),
	});
}

const Outcome = ({ report }: { readonly report: UseQueryResult<Report, Error> }) => (
	<section aria-label={t.report} className={styles.laboratory}>
		<h3>{t.report}</h3>
		<Loaded query={report} skeleton={<p className={styles.hint}>{t.counting}</p>}>
			{({ would_insert: added, would_delete: removed, errors }) => (
				<div role="status">
					<p>{t.wouldDo(added, removed)}</p>
					{errors.length > 0 && (
						<>
							<p className={styles.fault}>{t.faulty(errors.length)}</p>
							<ul className={styles.faults}>
								{errors.map(({ field, message }) => (
									<li key={field}>
										{rowOf(field)} {message}
									</li>
								))}
							</ul>
						</>
					)}
				</div>
			)}
		</Loaded>
	</section>
);

/** `body.rules.3.source_pattern` is in the fourth row. */
function rowOf(field: string): string {
	const [, at, name] = /^body\.rules\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
	if (at === undefined) return "";
	return `${t.row(Number(at) + 1)}${name === undefined ? "" : ` (${name})`}:`;
}
