// Package deploy pushes an environment of a project and finds what was pushed.
//
// Where an environment is deployed to is a Provider. An environment is one
// stack, named from the application id and the environment's branch; an Index in
// the user's state folder says where the stacks of this machine are, so that a
// deployment is found from anywhere. CurrentBuild says which application and
// branch a build on a build server is of.
package deploy
