S My First Year in a New City

S Last year my family moved to a big city because of my father 's new job .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S At first I feeled very lonely because I did n't know nobody there .
A 3 4|||R:VERB:INFL|||felt|||REQUIRED|||-NONE-|||0
A 11 12|||R:NOUN|||anybody|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:INFL|||felt|||REQUIRED|||-NONE-|||1
A 8 11|||R:OTHER|||knew|||REQUIRED|||-NONE-|||1

S Our new flat is in centre of city , near of the university .
A 5 5|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||0
A 5 7|||R:OTHER|||the|||REQUIRED|||-NONE-|||1
A 8 8|||M:NOUN|||centre|||REQUIRED|||-NONE-|||1
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||1

S Every mornings I take the bus number nine to go to the school .
A 1 2|||R:NOUN:NUM|||morning|||REQUIRED|||-NONE-|||0
A 5 6|||U:NOUN||||||REQUIRED|||-NONE-|||0
A 8 8|||M:NOUN|||bus|||REQUIRED|||-NONE-|||0
A 11 12|||U:DET||||||REQUIRED|||-NONE-|||0
A 1 2|||R:NOUN:NUM|||morning|||REQUIRED|||-NONE-|||1
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||1
A 8 10|||U:VERB||||||REQUIRED|||-NONE-|||1
A 11 12|||U:DET||||||REQUIRED|||-NONE-|||1

S The people is friendly , but they speaks too fast for me .
A 2 3|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:SVA|||speak|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||1
A 7 8|||R:VERB:SVA|||speak|||REQUIRED|||-NONE-|||1

S In the second week I have met a girl named Zoë in the queue of a small café .
A 5 6|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 14 15|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 5 6|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 14 15|||R:PREP|||at|||REQUIRED|||-NONE-|||1

S She laughed about my naïve questions , but she always answered them .
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Now I can say that the city that I hated it at the beginning became my home .
A 10 11|||U:PRON||||||REQUIRED|||-NONE-|||0
A 14 15|||R:VERB:TENSE|||has become|||REQUIRED|||-NONE-|||0
A 10 11|||U:PRON||||||REQUIRED|||-NONE-|||1
A 12 14|||R:OTHER|||first|||REQUIRED|||-NONE-|||1
A 14 15|||R:VERB:TENSE|||has become|||REQUIRED|||-NONE-|||1

S Moving here was the best thing that happened to me so far .
A 2 3|||R:VERB:TENSE|||is|||REQUIRED|||-NONE-|||0
A 7 7|||M:VERB:TENSE|||has|||REQUIRED|||-NONE-|||0

S The Day Our Robot Fell Asleep

S In March our school has organised a science fair for all the students .
A 4 5|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 4 5|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 11 12|||U:DET||||||REQUIRED|||-NONE-|||1

S My team decided to build small robot which can sorts the rubbish .
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:FORM|||sort|||REQUIRED|||-NONE-|||0
A 10 11|||U:DET||||||REQUIRED|||-NONE-|||0
A 5 5|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 9 10|||R:VERB:FORM|||sort|||REQUIRED|||-NONE-|||1

S We worked on it every day after school during three weeks .
A 8 9|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S It was a lot of work , but nobody complained .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The night before the fair we could not sleep because of we were so excited .
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||0
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||1

S Unfortunately the robot stopped to work just when the judges came to our table .
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 4 6|||R:VERB:FORM|||working|||REQUIRED|||-NONE-|||0
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 4 6|||R:VERB:FORM|||working|||REQUIRED|||-NONE-|||1

S I pushed the button again and again and again , but it did not moved .
A 14 15|||R:VERB:FORM|||move|||REQUIRED|||-NONE-|||0
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 14 15|||R:VERB:FORM|||move|||REQUIRED|||-NONE-|||1

S Then Jonas noticed that that that was missing was only a battery .
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 5 6|||R:PRON|||what|||REQUIRED|||-NONE-|||0
A 4 6|||UNK|||the thing that|||REQUIRED|||-NONE-|||1

S We did n't win , however we have learned a lot about patience .
A 4 4|||M:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 4 6|||R:WO|||however ,|||REQUIRED|||-NONE-|||0
A 7 8|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:OTHER|||but|||REQUIRED|||-NONE-|||1
A 7 8|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1

S My grandmother 's soup is the best recipe that I know .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 7 8|||R:NOUN|||dish|||REQUIRED|||-NONE-|||1

S First you must to cut two onion and fry them with butter .
A 3 4|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||onions|||REQUIRED|||-NONE-|||0
A 10 11|||R:PREP|||in|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB|||have|||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN:NUM|||onions|||REQUIRED|||-NONE-|||1
A 10 11|||R:PREP|||in|||REQUIRED|||-NONE-|||1

S After that you put the potatoes into pot and add litre water .
A 7 7|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 10 10|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 11 11|||M:PREP|||of|||REQUIRED|||-NONE-|||0
A 7 7|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 10 10|||M:OTHER|||one|||REQUIRED|||-NONE-|||1
A 11 11|||M:PREP|||of|||REQUIRED|||-NONE-|||1

S If you add too much salt will taste terrible .
A 6 6|||M:OTHER|||, it|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||, it|||REQUIRED|||-NONE-|||1

S It have to cook slowly until the vegetables will be soft .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 8 10|||R:VERB:TENSE|||are|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||1
A 8 10|||R:VERB:TENSE|||are|||REQUIRED|||-NONE-|||1

S The secret are the three spoons of mustard what she adds at the end .
A 2 3|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 8 9|||R:PRON|||that|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||1
A 5 6|||R:MORPH|||spoonfuls|||REQUIRED|||-NONE-|||1
A 8 9|||R:PRON|||that|||REQUIRED|||-NONE-|||1

S My mother makes it same way , but my grandmother 's tastes more better .
A 4 4|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 12 13|||U:ADV||||||REQUIRED|||-NONE-|||0
A 4 4|||M:OTHER|||in the|||REQUIRED|||-NONE-|||1
A 12 13|||U:ADV||||||REQUIRED|||-NONE-|||1

S She never measures nothing , she just looks and knows .
A 3 4|||R:NOUN|||anything|||REQUIRED|||-NONE-|||0
A 4 5|||R:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN|||anything|||REQUIRED|||-NONE-|||1
A 4 5|||R:PUNCT|||:|||REQUIRED|||-NONE-|||1

S Eat the soup with fresh bread and do n't forget the lemon .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Two summers ago I travelled by train from Lisbon to Vienna .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I wanted to buy the ticket in the station the machine was broken .
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 9 9|||M:OTHER|||, but|||REQUIRED|||-NONE-|||0
A 4 5|||R:DET|||a|||REQUIRED|||-NONE-|||1
A 6 7|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 9 9|||M:OTHER|||, but|||REQUIRED|||-NONE-|||1

S The man in the information desk said me that my train leaves in four minutes .
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB|||told|||REQUIRED|||-NONE-|||0
A 11 12|||R:VERB:TENSE|||was leaving|||REQUIRED|||-NONE-|||0
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||1
A 6 7|||R:VERB|||told|||REQUIRED|||-NONE-|||1
A 11 12|||R:VERB:TENSE|||would leave|||REQUIRED|||-NONE-|||1

S I ran as fast as I could , with my big red heavy suitcase behind me .
A 11 13|||R:WO|||heavy red|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I sat down and I saw that in front of me was sitting a pensioner which was reading newspaper .
A 7 13|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 15 16|||U:DET||||||REQUIRED|||-NONE-|||0
A 17 17|||M:OTHER|||sitting opposite me ,|||REQUIRED|||-NONE-|||0
A 18 18|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 15 16|||R:PRON|||who|||REQUIRED|||-NONE-|||1
A 18 18|||M:DET|||a|||REQUIRED|||-NONE-|||1

S He told me that his wife and him had take this train every year since 1975 .
A 7 8|||R:PRON|||he|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:FORM|||taken|||REQUIRED|||-NONE-|||0
A 4 6|||R:OTHER|||he|||REQUIRED|||-NONE-|||1
A 7 8|||R:OTHER|||his wife|||REQUIRED|||-NONE-|||1
A 9 10|||R:VERB:FORM|||taken|||REQUIRED|||-NONE-|||1

S Suddenly the train stopped in middle field , and the lights went out .
A 5 5|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||of a|||REQUIRED|||-NONE-|||0
A 5 5|||M:DET|||the|||REQUIRED|||-NONE-|||1
A 6 6|||M:OTHER|||of a|||REQUIRED|||-NONE-|||1

S Looking out of the window , everything was black .
A 0 1|||R:OTHER|||When I looked|||REQUIRED|||-NONE-|||0
A 0 1|||U:VERB||||||REQUIRED|||-NONE-|||1
A 1 3|||R:PREP|||Outside|||REQUIRED|||-NONE-|||1

S We have waited two hours until the train moved again .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:PREP|||before|||REQUIRED|||-NONE-|||0
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 3 3|||M:PREP|||for|||REQUIRED|||-NONE-|||1
A 5 6|||R:PREP|||before|||REQUIRED|||-NONE-|||1

S The old man shared his sandwiches with me , what was very kind of him .
A 9 10|||R:PRON|||which|||REQUIRED|||-NONE-|||0
A 9 10|||R:PRON|||which|||REQUIRED|||-NONE-|||1

S I arrived to Vienna at midnight , tired but happy .
A 2 3|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S When I think about this journey today I do not remember the cathedrals which I have visited , but the strangers which I met in the trains , the sandwich of the old man and the feeling that all the world was open for me .
A 7 7|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 15 16|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 21 22|||R:PRON|||whom|||REQUIRED|||-NONE-|||0
A 24 25|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 28 31|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 34 34|||M:OTHER|||'s sandwich|||REQUIRED|||-NONE-|||0
A 38 39|||U:DET||||||REQUIRED|||-NONE-|||0
A 40 40|||M:ADJ|||whole|||REQUIRED|||-NONE-|||0
A 43 44|||R:PREP|||to|||REQUIRED|||-NONE-|||0
A 7 7|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 15 16|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 21 22|||U:DET||||||REQUIRED|||-NONE-|||1
A 24 25|||R:PREP|||on|||REQUIRED|||-NONE-|||1
A 38 39|||U:DET||||||REQUIRED|||-NONE-|||1
A 40 40|||M:ADJ|||whole|||REQUIRED|||-NONE-|||1
A 43 44|||R:PREP|||to|||REQUIRED|||-NONE-|||1

S Nowadays almost everybody have a mobile phone in the pocket .
A 3 4|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0
A 8 9|||R:DET|||their|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||1
A 8 9|||R:DET|||their|||REQUIRED|||-NONE-|||1

S In my opinion phones are useful , but they also makes us lazy .
A 10 11|||R:VERB:SVA|||make|||REQUIRED|||-NONE-|||0
A 3 3|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 10 11|||R:VERB:SVA|||make|||REQUIRED|||-NONE-|||1

S My sister uses hers for everything my brother only for games .
A 6 6|||M:OTHER|||, while|||REQUIRED|||-NONE-|||0
A 8 8|||M:OTHER|||uses his|||REQUIRED|||-NONE-|||0
A 6 6|||M:OTHER|||, and|||REQUIRED|||-NONE-|||1

S When I was child people was talking more to each other .
A 3 3|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 5 7|||R:VERB:TENSE|||talked|||REQUIRED|||-NONE-|||0
A 3 3|||M:DET|||a|||REQUIRED|||-NONE-|||1
A 4 4|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 5 7|||R:VERB:TENSE|||talked|||REQUIRED|||-NONE-|||1
A 8 9|||R:PREP|||with|||REQUIRED|||-NONE-|||1
A 9 10|||R:DET|||one|||REQUIRED|||-NONE-|||1
A 10 11|||R:DET|||another|||REQUIRED|||-NONE-|||1

S Teachers say that phones distract the the students during the lessons .
A 5 6|||U:DET||||||REQUIRED|||-NONE-|||0
A 5 7|||U:DET||||||REQUIRED|||-NONE-|||1
A 9 10|||U:DET||||||REQUIRED|||-NONE-|||1

S I agree with them in part .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S But a phone can be helpful too , for example for to translate a word which we do n't understand .
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||0
A 11 13|||R:VERB:FORM|||translating|||REQUIRED|||-NONE-|||1

S I think the school should teach us how use it in responsible way .
A 8 8|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||0
A 11 11|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 8 8|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||1
A 10 11|||U:PREP||||||REQUIRED|||-NONE-|||1
A 11 12|||R:MORPH|||responsibly|||REQUIRED|||-NONE-|||1
A 12 13|||U:NOUN||||||REQUIRED|||-NONE-|||1

S It is not the phone that is bad , it is the way how we use it .
A 13 14|||U:ADV||||||REQUIRED|||-NONE-|||0
A 8 9|||R:PUNCT|||;|||REQUIRED|||-NONE-|||1
A 11 13|||U:OTHER||||||REQUIRED|||-NONE-|||1

S Since two years my mother works from home .
A 0 1|||R:PREP|||For|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:TENSE|||has worked|||REQUIRED|||-NONE-|||0
A 0 4|||U:OTHER|||My|||REQUIRED|||-NONE-|||1
A 5 6|||R:VERB:TENSE|||has been working|||REQUIRED|||-NONE-|||1
A 8 8|||M:OTHER|||for two years|||REQUIRED|||-NONE-|||1

S She says that she is more productive and that she sees us more often .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S My father , however , misses his colleagues and the coffee breaks .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S He has to drive to the office one time per week for the meetings .
A 7 8|||R:SPELL|||once|||REQUIRED|||-NONE-|||0
A 8 9|||U:NOUN||||||REQUIRED|||-NONE-|||0
A 9 10|||R:OTHER|||a|||REQUIRED|||-NONE-|||0
A 7 8|||R:SPELL|||once|||REQUIRED|||-NONE-|||1
A 8 9|||U:NOUN||||||REQUIRED|||-NONE-|||1
A 12 13|||U:DET||||||REQUIRED|||-NONE-|||1

S The biggest advantage of the remote work is that you save many time .
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||0
A 11 12|||R:OTHER|||a lot of|||REQUIRED|||-NONE-|||0
A 4 5|||U:DET||||||REQUIRED|||-NONE-|||1
A 11 12|||R:OTHER|||a lot of|||REQUIRED|||-NONE-|||1

S On the other hand , is difficult to stop working when your office is your bedroom .
A 5 5|||M:PRON|||it|||REQUIRED|||-NONE-|||0
A 5 5|||M:PRON|||it|||REQUIRED|||-NONE-|||1

S Many companies wants that their workers come back .
A 2 3|||R:VERB:SVA|||want|||REQUIRED|||-NONE-|||0
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 6 6|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:SVA|||want|||REQUIRED|||-NONE-|||1
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||1
A 6 6|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||1

S In the future , I would like a job where I can choose myself where I work .
A 12 14|||UNK|||decide for myself|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Dear Sir or Madam , I am writing to complain about the coffee machine that I bought from you .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S I have ordered it on your website on 3 May , and it was arriving two weeks later .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 13 15|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||0
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||1
A 13 15|||R:VERB:TENSE|||arrived|||REQUIRED|||-NONE-|||1

S The email showed " <b> 20 % off </b> " , with the code SPRING_20 , but I payed the full price of $ 80 & delivery .
A 18 19|||R:VERB:TENSE|||paid|||REQUIRED|||-NONE-|||0
A 25 26|||R:CONJ|||plus|||REQUIRED|||-NONE-|||0
A 18 19|||R:VERB:TENSE|||paid|||REQUIRED|||-NONE-|||1
A 25 26|||R:CONJ|||and|||REQUIRED|||-NONE-|||1

S When I opened the box the glass was broken and the cable missed .
A 5 5|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 12 13|||R:VERB:TENSE|||was missing|||REQUIRED|||-NONE-|||0
A 5 5|||M:PUNCT|||,|||REQUIRED|||-NONE-|||1
A 12 13|||R:VERB:TENSE|||was missing|||REQUIRED|||-NONE-|||1

S I called to your customer service three times , but every time I have to wait very long .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 13 14|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0
A 16 16|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 18 18|||M:NOUN|||time|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||1
A 13 14|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||1
A 16 16|||M:OTHER|||for a|||REQUIRED|||-NONE-|||1
A 18 18|||M:NOUN|||time|||REQUIRED|||-NONE-|||1

S The woman who finally answered was not polite at all .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S She said that it 's my fault because I did n't read the instruction careful .
A 4 5|||R:CONTR|||was|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOUN:NUM|||instructions|||REQUIRED|||-NONE-|||0
A 14 15|||R:MORPH|||carefully|||REQUIRED|||-NONE-|||0
A 4 5|||R:CONTR|||was|||REQUIRED|||-NONE-|||1
A 13 14|||R:NOUN:NUM|||instructions|||REQUIRED|||-NONE-|||1
A 14 15|||R:MORPH|||carefully|||REQUIRED|||-NONE-|||1

S How can I broke a glass that was in a closed box ?
A 1 2|||R:VERB:TENSE|||could|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:TENSE|||have broken|||REQUIRED|||-NONE-|||0
A 3 4|||R:VERB:FORM|||break|||REQUIRED|||-NONE-|||1

S I send you photos of the damages and a copy of receipt in the attachment .
A 1 2|||R:VERB:TENSE|||am sending|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||damage|||REQUIRED|||-NONE-|||0
A 11 11|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 12 13|||R:PREP|||as|||REQUIRED|||-NONE-|||0
A 13 14|||U:DET||||||REQUIRED|||-NONE-|||0
A 14 15|||R:NOUN:NUM|||attachments|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||have attached|||REQUIRED|||-NONE-|||1
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||1
A 6 7|||R:NOUN:NUM|||damage|||REQUIRED|||-NONE-|||1
A 11 13|||U:OTHER||||||REQUIRED|||-NONE-|||1
A 14 15|||R:NOUN|||receipt|||REQUIRED|||-NONE-|||1

S I ask you either to send me a new machine or that you give me back my money .
A 11 12|||U:PREP||||||REQUIRED|||-NONE-|||0
A 12 13|||R:OTHER|||to|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||am asking|||REQUIRED|||-NONE-|||1
A 11 12|||U:PREP||||||REQUIRED|||-NONE-|||1
A 12 13|||R:OTHER|||to|||REQUIRED|||-NONE-|||1
A 13 16|||R:OTHER|||refund|||REQUIRED|||-NONE-|||1

S If I do n't hear from you until 1 June , I will write about this in internet .
A 7 8|||R:PREP|||by|||REQUIRED|||-NONE-|||0
A 16 17|||R:PREP|||on|||REQUIRED|||-NONE-|||0
A 17 17|||M:DET|||the|||REQUIRED|||-NONE-|||0
A 7 8|||R:PREP|||by|||REQUIRED|||-NONE-|||1
A 16 17|||R:PREP|||on|||REQUIRED|||-NONE-|||1
A 17 17|||M:DET|||the|||REQUIRED|||-NONE-|||1

S I hope that we can find fast a solution that is good for the both sides .
A 5 5|||M:ADV|||quickly|||REQUIRED|||-NONE-|||0
A 6 7|||U:ADJ||||||REQUIRED|||-NONE-|||0
A 13 14|||U:DET||||||REQUIRED|||-NONE-|||0
A 6 7|||U:ADJ||||||REQUIRED|||-NONE-|||1
A 8 8|||M:ADJ|||quick|||REQUIRED|||-NONE-|||1
A 13 14|||U:DET||||||REQUIRED|||-NONE-|||1

S I look forward to hear from you soon .
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||0

S Yours faithfully , a disappointed customer
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

