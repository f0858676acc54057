import { useQuery } from "@tanstack/react-query";
import { asFailure } from "../../lib/failure.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Select } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Site } from "../site/index.ts";
import { t } from "./texts.ts";
import { membersQuery, type Person, type Role, rolesBy, usePeople } from "./use-people.ts";

interface AddDialogProps {
	readonly site: Site;
	/** The organization's; it does not exist for a reader who does not belong to it. */
	readonly slug: string | null | undefined;
	readonly people: readonly Person[];
	readonly onClose: () => void;
}

/** Gives somebody of the organization a role on the site. */
export function AddDialog({ site, slug, people, onClose }: AddDialogProps) {
	const query = useQuery(membersQuery(slug ?? null));
	return (
		<Dialog title={t.add} onClose={onClose}>
			{slug === null || (query.error && asFailure(query.error).status === 404) ? (
				<p>{t.elsewhere}</p>
			) : (
				<Loaded query={query}>
					{({ members }) => {
						const left = members.filter(({ user_id: id }) => people.every((person) => person.user_id !== id));
						return left.length === 0 ? <p>{t.everybody}</p> : <AddForm site={site} left={left} onClose={onClose} />;
					}}
				</Loaded>
			)}
		</Dialog>
	);
}

interface AddFormProps extends Pick<AddDialogProps, "site" | "onClose"> {
	readonly left: readonly Pick<Person, "user_id" | "name" | "email">[];
}

function AddForm({ site, left, onClose }: AddFormProps) {
	const { add } = usePeople(site.id);
	const form = useForm(async (values) => {
		await add.mutateAsync({ user_id: Number(textOf(values, "user_id")), role: textOf(values, "role") as Role });
		onClose();
	});
	return (
		<RecordForm form={form} action={t.add} onCancel={onClose}>
			<Select label={t.person} name="user_id" required autoFocus error={form.errorOf("user_id")}>
				{left.map(({ user_id: id, name, email }) => (
					<option key={id} value={id}>
						{name} · {email}
					</option>
				))}
			</Select>
			<Select label={t.role} name="role" error={form.errorOf("role")}>
				{rolesBy(site.role).map((role) => (
					<option key={role} value={role}>
						{t.roles[role]}: {t.means[role]}
					</option>
				))}
			</Select>
		</RecordForm>
	);
}
