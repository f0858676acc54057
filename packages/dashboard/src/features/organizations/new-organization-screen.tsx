import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { useChange } from "../../ui/form/use-change.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { OuterFrame } from "../account/index.ts";
import styles from "./organizations.module.css";
import { organizationsQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** A name is all that a new organization takes. */
export function NewOrganizationScreen() {
	const query = useQuery(organizationsQuery);
	return (
		<OuterFrame title={t.newTitle}>
			<Card className={styles.sheet}>
				<Loaded query={query} isEmpty={(data) => !data.can_create_org} empty={<p>{t.cannot}</p>}>
					{() => <NameForm />}
				</Loaded>
			</Card>
		</OuterFrame>
	);
}

function NameForm() {
	const navigate = useNavigate();
	const create = useChange({
		run: (name: string) => call("POST /organizations", { body: { name } }),
		stale: ["GET /organizations", "GET /sites"],
	});
	const form = useForm(
		async (values) => {
			const { slug } = await create.mutateAsync(textOf(values, "name"));
			await navigate({ to: "/organizations/$slug", params: { slug } });
		},
		{ draft: "organization" },
	);
	return (
		<Form form={form} className={styles.form} intro={<p className="intro">{t.newText}</p>}>
			<Field label={t.name} name="name" maxLength={255} autoComplete="organization" required autoFocus />
			<div className="row-centered">
				<Submit>{t.create}</Submit>
				<Link to="/organizations" className={buttonClass()}>
					{t.cancel}
				</Link>
			</div>
		</Form>
	);
}
