import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Area, Check, Field, Select } from "../../ui/field/field.tsx";
import { Cancel, Form, Submit } from "../../ui/form/form.tsx";
import { sharedLists } from "../report/index.ts";
import { segmentName, segmentsQuery } from "../segments/index.ts";
import type { SharedList, Site } from "../site/index.ts";
import { dayOfEnd, endOfDay } from "./end-of-day.ts";
import styles from "./sharing.module.css";
import { t } from "./texts.ts";
import { type Link, type LinkInput, useLinks } from "./use-links.ts";

/** Default lists of a new link. */
const shownAtFirst = sharedLists
	.map(({ name }) => name)
	.filter((name) => !["terms", "contents", "properties"].includes(name));

interface LinkFormProps {
	readonly site: Site;
	/** The edited link; absent for a new one. */
	readonly link: Link | undefined;
	readonly onMade: (link: Link) => void;
	readonly onClose: () => void;
}

/** Form of a shared link: content, access and expiry. */
export function LinkForm({ site, link, onMade, onClose }: LinkFormProps) {
	const { create, change } = useLinks(site.id);
	const form = useForm(
		async (values) => {
			const body = inputOf(values);
			if (link === undefined) {
				onMade(await create.mutateAsync(body));
			} else {
				await change.mutateAsync({ link, body });
				onClose();
			}
		},
		{ draft: link === undefined ? "link" : `link ${link.id}` },
	);
	return (
		<Dialog title={link === undefined ? t.newTitle : t.editTitle} onClose={onClose}>
			<Form form={form} className={styles.form}>
				<Field
					label={t.name}
					hint={t.nameHint}
					name="name"
					defaultValue={link?.name ?? ""}
					required
					maxLength={100}
					autoComplete="off"
				/>
				<Lists chosen={link?.lists ?? shownAtFirst} />
				<Check
					label={t.mayFilter}
					hint={t.mayFilterHint}
					name="may_filter"
					defaultChecked={link?.may_filter ?? false}
				/>
				<SegmentField site={site} chosen={link?.segment_id ?? null} />
				<Password hasOne={link?.has_password ?? false} />
				<Field
					label={t.expires}
					hint={t.expiresHint}
					name="expires_at"
					type="date"
					defaultValue={dayOfEnd(link?.expires_at ?? null)}
				/>
				<Area
					label={t.origins}
					hint={t.originsHint}
					name="embed_origins"
					rows={3}
					inputMode="url"
					autoCapitalize="none"
					spellCheck={false}
					defaultValue={link?.embed_origins.join("\n") ?? ""}
				/>
				<div className={styles.actions}>
					<Cancel onClick={onClose} />
					<Submit>{link === undefined ? t.create : t.save}</Submit>
				</div>
			</Form>
		</Dialog>
	);
}

/** Values of the form; an empty password field keeps the password. */
function inputOf(values: FormData): LinkInput {
	const [password, end] = [textOf(values, "password"), textOf(values, "expires_at")];
	return {
		name: textOf(values, "name"),
		lists: values.getAll("lists").map((name) => String(name) as SharedList),
		may_filter: values.has("may_filter"),
		segment_id: textOf(values, "segment_id") || null,
		embed_origins: textOf(values, "embed_origins")
			.split(/\s+/)
			.filter((origin) => origin !== ""),
		expires_at: end === "" ? null : endOfDay(end),
		...(values.has("no_password") ? { password: null } : password !== "" && { password }),
	};
}

function Lists({ chosen }: { readonly chosen: readonly SharedList[] }) {
	const hint = useId();
	return (
		<fieldset className={styles.lists} aria-describedby={hint}>
			<legend>{t.lists}</legend>
			<p id={hint} className="caption">
				{t.listsHint}
			</p>
			<div className={styles.choices}>
				{sharedLists.map(({ name, title }) => (
					<Check key={name} label={title} name="lists" value={name} defaultChecked={chosen.includes(name)} />
				))}
			</div>
		</fieldset>
	);
}

function SegmentField({ site, chosen }: { readonly site: Site; readonly chosen: string | null }) {
	const { data } = useQuery(segmentsQuery(site.id));
	const offered = data?.filter(({ filter_count }) => filter_count > 0) ?? [];
	const isThere = chosen === null || offered.some(({ id }) => id === chosen);
	return (
		// The choices come later than the form; the chosen one is set again with them.
		<Select
			key={data === undefined ? "waiting" : "there"}
			label={t.segment}
			hint={t.segmentHint}
			name="segment_id"
			defaultValue={chosen ?? ""}
		>
			<option value="">{t.allVisits}</option>
			{!isThere && <option value={chosen}>{data === undefined ? "…" : t.removedSegment}</option>}
			{offered.map((segment) => (
				<option key={segment.id} value={segment.id}>
					{segmentName(segment)}
				</option>
			))}
		</Select>
	);
}

const Password = ({ hasOne }: { readonly hasOne: boolean }) => (
	<>
		<Field
			label={t.password}
			hint={hasOne ? t.passwordKept : t.passwordHint}
			name="password"
			type="password"
			autoComplete="new-password"
			minLength={8}
			maxLength={128}
		/>
		{hasOne && <Check label={t.noPassword} name="no_password" />}
	</>
);
