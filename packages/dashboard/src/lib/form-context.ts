import { createContext } from "react";
import type { FormState } from "./use-form.ts";

/** The form around a field or a button; undefined outside of one. */
export const FormContext = createContext<FormState | undefined>(undefined);
