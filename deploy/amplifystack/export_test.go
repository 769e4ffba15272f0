package amplifystack

// SandboxStackName returns the name of the stack of a developer's sandbox in the cloud.
func SandboxStackName(packageName, identifier string) string {
	return NameOf(namePrefix, packageName, identifier, "sandbox")
}
