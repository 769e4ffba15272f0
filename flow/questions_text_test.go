package flow_test

// questionsOfANewProject has two paths, the second with the function of the first.
const questionsOfANewProject = `
project 0: What is the project called?
  The project is this folder: its APIs, functions, tables and environments. The first environment, dev, runs on this machine.
  text name "Name" = "", shown "shop", proposed "shop", help: letters, digits, _ and -
  text region "Region" = "", shown "us-east-1", proposed "us-east-1", suggestions from us-east-1, help: default for environments
  in short: shop
API 0: Which API?
  A REST API has paths. One handler function serves each path and everything below it. The label names the API in this project; clients never see it in a URL.
  text label "Label" = "more", shown "more", proposed "shop", help: letters, digits, _ and -, up to 64
  choice service "Service" = "REST", shown "REST", proposed ""
    x REST "REST" "paths and handler functions" ""
    - GraphQL "GraphQL" "" "gatewright designs REST APIs; an existing GraphQL API goes into data.json"
  text binaryMediaTypes "Binary types" = "", shown "none", proposed "none", a list, help: media types with binary bodies, such as image/png, application/pdf or */*
  in short: more
path 0: Which path of the API more?
  It starts with /. A segment in braces is a variable. One function serves the path and everything below it.
  text path "Path" = "/a", shown "/a", proposed "such as /items or /book/{isbn}", help: segments of A-Z a-z 0-9 . _ : - or {variable}
  in short: /a
function 0: Which handler function serves /a?
  The function gets every request to the path and below it, and returns the response. If only one group may use a path, give the path a function of its own.
  choice source "Function" = "new", shown "A new function", proposed ""
    x new "A new function" "gatewright writes its source from a template" ""
    - existing "One that exists" "several paths may share one" "there is no function yet; create the first one"
  text name "Resource name" = "", shown "a", proposed "a", help: its name in this project, and its folder
  choice template "Template" = "crud", shown "CRUD on a table", proposed ""
    - plain "Plain" "Plain handler function: one handler without a framework; needs no packages" ""
    - express "Express" "Serverless ExpressJS function: web framework, with routes for list, load, create, update and delete to fill in; needs npm" ""
    x crud "CRUD on a table" "CRUD function for DynamoDB-style key-value table: lists, loads, creates or replaces, updates and deletes items of a table, ready to use; needs npm" ""
  choice runtime "Runtime" = "nodejs", shown "Node.js", proposed ""
    x nodejs "Node.js" "" ""
    - typescript "TypeScript" "for Node.js; compiled in the sandbox and by a push" ""
    - python "Python" "" ""
    - go "Go" "" ""
  text deployed "Function name" = "", shown "a", proposed "a", help: the name of the deployed function; empty means the resource name
  choice advanced "Advanced settings" = "yes", shown "Yes", proposed "", help: access to resources, schedule, layers, environment variables, secrets
    - no "No" "" ""
    x yes "Yes" "" ""
  in short: a, CRUD on a table
table 0: Which table holds the items?
  An item is found by its partition key and, if the table has one, its sort key. The keys of a table cannot change later.
  text new "Table name" = "", shown "a-table", proposed "a-table", help: 3 to 255 letters, digits, _ . -
  text partition "Partition key" = "", shown "id", proposed "id", help: the attribute that finds an item
  choice partitionKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
  text sort "Sort key" = "at", shown "at", proposed "none", help: orders the items with the same partition key
  choice sortKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
  in short: a-table by id, at
settings 0: Settings of the new function
  You may leave all of them empty.
  text timeout "Timeout" = "30", shown "30", proposed "25", help: seconds, 1 to 900
  text memory "Memory" = "", shown "128", proposed "128", help: megabytes, 128 to 10240
  text schedule "Schedule" = "", shown "none", proposed "none", help: rate(5 minutes) or cron(0 12 * * ? *)
  text layers "Layers" = "", shown "none", proposed "none", a list, help: folders or identifiers, separated by commas, at most 5
  text environment "Environment variables" = "", shown "none", proposed "none", a list, help: NAME=VALUE, separated by commas
  text secrets "Secrets" = "", shown "none", proposed "none", a list, help: names only, separated by commas; the values are never written to project files
  several access "Access to resources" = "", shown "none", proposed "", help: what the function may do with other resources
    - pool:create "users of the pool: create" "" ""
    - pool:read "users of the pool: read" "" ""
    - pool:update "users of the pool: update" "" ""
    - pool:delete "users of the pool: delete" "" ""
    - mail:create "mail: send" "" ""
access 0: Who may do what under /a?
  A group with its own row: only that row applies to its members. Of several groups, the lowest number applies. All other users have the row of signed-in users.
  access access "" = "", shown "none", proposed ""
  in short: signed-in
another path 0: Add another path?
  Each path has its own function and its own access.
  choice another "" = "yes", shown "Yes, one more", proposed ""
    - no "No, go on" "" ""
    x yes "Yes, one more" "" ""
  in short: yes
path 1: Which path of the API more?
  It starts with /. A segment in braces is a variable. One function serves the path and everything below it.
  text path "Path" = "/b", shown "/b", proposed "such as /items or /book/{isbn}", help: segments of A-Z a-z 0-9 . _ : - or {variable}
  in short: /b
function 1: Which handler function serves /b?
  The function gets every request to the path and below it, and returns the response. If only one group may use a path, give the path a function of its own.
  choice source "Function" = "existing", shown "One that exists", proposed ""
    - new "A new function" "gatewright writes its source from a template" ""
    x existing "One that exists" "several paths may share one" ""
  choice existing "Which one" = "a", shown "a", proposed ""
    x a "a" "new, created with this API" ""
  in short: a
access 1: Who may do what under /b?
  A group with its own row: only that row applies to its members. Of several groups, the lowest number applies. All other users have the row of signed-in users.
  access access "" = "", shown "none", proposed ""
  in short: signed-in, 1 group
another path 1: Add another path?
  Each path has its own function and its own access.
  choice another "" = "no", shown "No, go on", proposed ""
    x no "No, go on" "" ""
    - yes "Yes, one more" "" ""
  in short: no
environments 0: Which environments have this API?
  Each environment is deployed separately and has its own address. Its name is the stage in the URL.
  several environments "Environments" = "", shown "dev", proposed ""
    x dev "dev" "new, runs on this machine" ""
  text new "New environments" = "qa", shown "qa", proposed "none", a list, help: such as qa, prod; they run on this machine and include this API
  in short: dev, qa
review 0: Review
  Nothing is written yet. gatewright writes all files or none.
`

// questionsOfAPath are those about a path that is there.
const questionsOfAPath = `
path 0: Which path of the API shop?
  It starts with /. A segment in braces is a variable. One function serves the path and everything below it.
  text path "Path" = "/items", shown "/items", proposed "such as /items or /book/{isbn}", help: segments of A-Z a-z 0-9 . _ : - or {variable}
  in short: /items
function 0: Which handler function serves /items?
  The function gets every request to the path and below it, and returns the response. If only one group may use a path, give the path a function of its own.
  choice source "Function" = "existing", shown "One that exists", proposed ""
    - new "A new function" "gatewright writes its source from a template" ""
    x existing "One that exists" "several paths may share one" ""
  choice existing "Which one" = "items", shown "items", proposed ""
    x items "items" "Serverless ExpressJS function" ""
  in short: items
access 0: Who may do what under /items?
  A group with its own row: only that row applies to its members. Of several groups, the lowest number applies. All other users have the row of signed-in users.
  access access "" = "", shown "none", proposed ""
  in short: signed-in and guests, 1 group
review 0: Review
  Nothing is written yet. gatewright writes all files or none.
`

// questionOfATable offers the table of the project.
const questionOfATable = `
table 0: Which table holds the items?
  An item is found by its partition key and, if the table has one, its sort key. The keys of a table cannot change later.
  choice name "Table" = "+", shown "A new table", proposed ""
    x + "A new table" "" ""
    - items "items" "" ""
  text new "Table name" = "", shown "items-2", proposed "items-2", help: 3 to 255 letters, digits, _ . -
  text partition "Partition key" = "", shown "id", proposed "id", help: the attribute that finds an item
  choice partitionKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
  text sort "Sort key" = "", shown "none", proposed "none", help: orders the items with the same partition key
  choice sortKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
`

// questionOfTypeScript refuses the template that does not exist for TypeScript.
const questionOfTypeScript = `
function 0: Which handler function serves /items?
  The function gets every request to the path and below it, and returns the response. If only one group may use a path, give the path a function of its own.
  choice source "Function" = "new", shown "A new function", proposed ""
    x new "A new function" "gatewright writes its source from a template" ""
    - existing "One that exists" "several paths may share one" ""
  text name "Resource name" = "", shown "items-2", proposed "items-2", help: its name in this project, and its folder
  choice template "Template" = "plain", shown "Plain", proposed ""
    x plain "Plain" "Plain handler function: one handler without a framework; needs no packages" ""
    - express "Express" "Serverless ExpressJS function: web framework, with routes for list, load, create, update and delete to fill in; needs npm" ""
    - crud "CRUD on a table" "CRUD function for DynamoDB-style key-value table: lists, loads, creates or replaces, updates and deletes items of a table, ready to use; needs npm" "not for TypeScript"
  choice runtime "Runtime" = "typescript", shown "TypeScript", proposed ""
    - nodejs "Node.js" "" ""
    x typescript "TypeScript" "for Node.js; compiled in the sandbox and by a push" ""
    - python "Python" "" ""
    - go "Go" "" ""
  text deployed "Function name" = "", shown "items-2", proposed "items-2", help: the name of the deployed function; empty means the resource name
  choice advanced "Advanced settings" = "no", shown "No", proposed "", help: access to resources, schedule, layers, environment variables, secrets
    x no "No" "" ""
    - yes "Yes" "" ""
`

// questionsOfTheAmplifyCLI leave out what the Amplify CLI makes.
const questionsOfTheAmplifyCLI = `
API 0: Which API?
  A REST API has paths. One handler function serves each path and everything below it. The label names the API in this project; clients never see it in a URL.
  text label "Label" = "", shown "api", proposed "api", help: letters, digits, _ and -, up to 64
  choice service "Service" = "REST", shown "REST", proposed ""
    x REST "REST" "paths and handler functions" ""
    - GraphQL "GraphQL" "" "gatewright designs REST APIs; an existing GraphQL API goes into data.json"
  in short: api
path 0: Which path of the API api?
  It starts with /. A segment in braces is a variable. One function serves the path and everything below it.
  text path "Path" = "", shown "empty", proposed "such as /items or /book/{isbn}", help: segments of A-Z a-z 0-9 . _ : - or {variable}
function 0: Which handler function serves ""?
  The function gets every request to the path and below it, and returns the response. If only one group may use a path, give the path a function of its own.
  choice source "Function" = "existing", shown "One that exists", proposed ""
    - new "A new function" "gatewright writes its source from a template" "add functions of an Amplify CLI project with: amplify add function"
    x existing "One that exists" "several paths may share one" ""
  choice existing "Which one" = "", shown "none", proposed ""
    - items "items" "Serverless ExpressJS function" ""
access 0: Who may do what under ""?
  A group with its own row: only that row applies to its members. Of several groups, the lowest number applies. All other users have the row of signed-in users.
  access access "" = "", shown "none", proposed ""
  in short: signed-in
another path 0: Add another path?
  Each path has its own function and its own access.
  choice another "" = "no", shown "No, go on", proposed ""
    x no "No, go on" "" ""
    - yes "Yes, one more" "" ""
  in short: no
review 0: Review
  Nothing is written yet. gatewright writes all files or none.
`
