import { reaches } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Check, Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useSite } from "../site/index.ts";
import { useViews, type View } from "./use-views.ts";
import styles from "./views-panel.module.css";

const t = texts({
	en: { name: "Name", cancel: "Cancel", remove: "Delete" },
	es: { name: "Nombre", cancel: "Cancelar", remove: "Eliminar" },
});

/** Words on sharing, for new views and for those that are there. */
export const sharing = texts({
	en: { share: "Share with everyone on this site" },
	es: { share: "Compartir con todos en este sitio" },
});

/** The name of a view, who has it, and its end. */
export function ViewEditor({ view, onDone }: { readonly view: View; readonly onDone: () => void }) {
	const { role } = useSite();
	const { change, remove } = useViews();
	const form = useForm(async (values) => {
		const changes = {
			name: textOf(values, "name"),
			...(reaches(role, "editor") && { is_shared: values.has("shared") }),
		};
		await change.mutateAsync({ row: view, to: changes });
		onDone();
	});
	return (
		<li className={styles.editor}>
			<Form form={form} className={styles.form}>
				<Field
					label={t.name}
					name="name"
					required
					maxLength={100}
					autoFocus
					autoComplete="off"
					defaultValue={view.name}
				/>
				{reaches(role, "editor") && <Check label={sharing.share} name="shared" defaultChecked={view.is_shared} />}
				<div className="row">
					<Submit small />
					<Button small onClick={onDone}>
						{t.cancel}
					</Button>
					<Button
						look="danger"
						small
						className={styles.last}
						onClick={() => {
							remove.run(view);
							onDone();
						}}
					>
						{t.remove}
					</Button>
				</div>
			</Form>
		</li>
	);
}
