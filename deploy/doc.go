// Package deploy pushes an environment of a project and finds what was pushed.
//
// A Provider deploys environments to one kind of place. An environment is one
// stack, named from the application id and the environment's branch; an Index in
// the user's state folder lists the stacks of this machine, so that a deployment
// is found from any folder. CurrentBuild finds the application and the branch of a
// build on a build server.
package deploy
