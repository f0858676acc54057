export { PasswordRules } from "./password-rules.tsx";
export { useConfig } from "./use-config.ts";
