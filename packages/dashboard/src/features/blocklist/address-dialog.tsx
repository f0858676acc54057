import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { t } from "./texts.ts";
import { type Entry, useBlocklist } from "./use-blocklist.ts";

interface AddressDialogProps {
	readonly site: string;
	/** The edited entry; absent for a new one. */
	readonly entry?: Entry;
	readonly onClose: () => void;
}

/** An excluded address and its label. */
export function AddressDialog({ site, entry, onClose }: AddressDialogProps) {
	const { add, change } = useBlocklist(site);
	const form = useForm(
		async (values) => {
			const to = { ip_or_cidr: textOf(values, "ip_or_cidr"), reason: textOf(values, "reason") };
			await (entry === undefined ? add.mutateAsync(to) : change.mutateAsync({ entry, to }));
			onClose();
		},
		{ draft: `address ${entry?.id ?? "new"}` },
	);
	return (
		<Dialog title={entry === undefined ? t.add : t.editTitle} onClose={onClose}>
			<RecordForm form={form} onCancel={onClose}>
				<Field
					label={t.address}
					hint={t.addressHint}
					name="ip_or_cidr"
					defaultValue={entry?.ip_or_cidr}
					required
					maxLength={50}
					autoFocus
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					error={form.errorOf("ip_or_cidr")}
				/>
				<Field
					label={t.label}
					hint={t.labelHint}
					name="reason"
					defaultValue={entry?.reason}
					maxLength={255}
					autoComplete="off"
					error={form.errorOf("reason")}
				/>
			</RecordForm>
		</Dialog>
	);
}
