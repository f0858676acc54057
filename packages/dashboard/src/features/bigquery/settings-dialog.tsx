import { useState } from "react";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field } from "../../ui/field/field.tsx";
import { RecordForm } from "../../ui/form/record-form.tsx";
import { FrequencyChoice, frequencyOf, TypeChoice, typesOf } from "./choices.tsx";
import type { PartProps } from "./part-props.ts";
import { t } from "./texts.ts";

/** Settings: data to sync and interval. */
export function SettingsDialog({ integration, changes, onClose }: PartProps & { readonly onClose: () => void }) {
	const [isUnchosen, setUnchosen] = useState(false);
	const form = useForm(async (values) => {
		const types = typesOf(values);
		setUnchosen(types.length === 0);
		if (types.length === 0) return;
		await changes.change.mutateAsync({
			sync_frequency: frequencyOf(values),
			data_types: types,
			backfill_days: Number(textOf(values, "backfill_days")),
		});
		onClose();
	});
	return (
		<Dialog title={t.settingsTitle} onClose={onClose}>
			<RecordForm form={form} onCancel={onClose}>
				<FrequencyChoice value={integration.sync_frequency} />
				<TypeChoice chosen={integration.data_types} error={isUnchosen ? t.chooseOne : form.errorOf("data_types")} />
				<Field
					label={t.backfillDays}
					name="backfill_days"
					type="number"
					min={0}
					max={365}
					required
					defaultValue={integration.backfill_days}
					error={form.errorOf("backfill_days")}
				/>
			</RecordForm>
		</Dialog>
	);
}
